// `npm run audit`: fails if a package that a release contains has a known vulnerability of high or critical severity.
import { checkAuditReport, readAuditReport } from './check-audit-report.ts'
import { contents } from './contents.ts'
import { isShippedIn } from './packages.ts'

const { isAcceptable, text } = checkAuditReport(readAuditReport(), isShippedIn(contents()))
console.log(text)
process.exitCode = isAcceptable ? 0 : 1
