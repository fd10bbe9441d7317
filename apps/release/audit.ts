// `npm run audit`: fails if a production dependency has a known vulnerability of high or critical severity.
import { spawnSync } from 'node:child_process'
import { checkAuditReport } from './check-audit-report.ts'
import { ROOT } from './contents.ts'

const COMMAND = 'npm audit --json --omit=dev --fetch-retries=1 --fetch-timeout=30000'

const MAX_REPORT_BYTES = 64 * 2 ** 20

// Through the shell, because on Windows npm is a script (npm.cmd).
const { stdout, error } = spawnSync(COMMAND, {
  cwd: ROOT,
  shell: true,
  encoding: 'utf8',
  maxBuffer: MAX_REPORT_BYTES,
})
if (error) throw error
const { isAcceptable, text } = checkAuditReport(stdout)
console.log(text)
process.exitCode = isAcceptable ? 0 : 1
