// `npm run spec:diff`: explains what changed in the contract since its last publication. Fails while a break
// is not announced, or while the version or the changelog does not fit the change.
import { toMarkdown } from './markdown.ts'
import { readChangelog, readRevisions } from './published.ts'
import { review } from './review.ts'

const result = review(await readRevisions(), await readChangelog())
process.stdout.write(toMarkdown(result))
if (result.problems.length > 0) process.exitCode = 1
