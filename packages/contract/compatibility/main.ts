// `npm run spec:diff` explains what changed in the contract since its last publication. It fails while a break is
// not announced, or while the version or the changelog does not fit the change. `npm run spec:publish` makes the
// documents in spec/ the published ones, and refuses while `npm run spec:diff` fails.
import { SPEC } from '../bundle.ts'
import { explain } from '../generator/generate.ts'
import { publish, readChangelog, readRevisions, review, toMarkdown } from './review.ts'

const isPublishing = process.argv.includes('--publish')
try {
  const result = await (isPublishing ? publish : review)(await readRevisions(), await readChangelog())
  const hasProblems = result.problems.length > 0
  process.stdout.write(toMarkdown(result))
  if (hasProblems) process.exitCode = 1
  if (isPublishing && result.documents.length > 0)
    process.stdout.write(
      hasProblems ? '\nNot published.\n' : '\nPublished. Commit spec/published/ with the change.\n',
    )
} catch (error) {
  process.stderr.write(`${await explain(error as Error, SPEC, 'partner')}\n`)
  process.exitCode = 1
}
