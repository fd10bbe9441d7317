// `npm run audit`: fails if a production dependency has a known vulnerability of high or critical severity.
import { spawnSync } from 'node:child_process'
import { ROOT } from './contents.ts'
import { judgeAudit } from './judge-audit.ts'

const COMMAND = 'npm audit --json --omit=dev --fetch-retries=1 --fetch-timeout=30000'

// Through the shell, because on Windows npm is a script (npm.cmd).
const { stdout } = spawnSync(COMMAND, { cwd: ROOT, shell: true, encoding: 'utf8' })
const { isAcceptable, text } = judgeAudit(stdout)
console.log(text)
process.exitCode = isAcceptable ? 0 : 1
