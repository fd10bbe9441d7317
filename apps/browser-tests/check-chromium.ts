// Runs before the build of `npm run test:browser`, so that the message comes first and alone.
import { missingChromium } from './kit/chromium.ts'

const missing = missingChromium()
if (missing) {
  process.stderr.write(`${missing}\n`)
  process.exitCode = 1
}
