// `npm run spec:lint`: checks spec/ and prints each finding with its place.
import { formatFinding, lintSpec } from './lint-spec.ts'

const started = performance.now()
try {
  const findings = await lintSpec()
  for (const finding of findings) console.log(formatFinding(finding))
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const result = findings.length ? `problems: ${findings.length}` : 'no problems'
  console.log(`spec/: ${result} (${seconds} s)`)
  process.exitCode = findings.length ? 1 : 0
} catch (error) {
  console.error(`spec/: the linter does not know this form of document (${(error as Error).message}).`)
  process.exitCode = 1
}
