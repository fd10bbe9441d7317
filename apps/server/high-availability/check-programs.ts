// Runs before `npm run test:stress` and `npm run test:ha`, so that the message comes first and alone.
import { findMissing } from './programs.ts'

const missing = findMissing()
if (missing) {
  process.stderr.write(`${missing}\n`)
  process.exitCode = 1
}
