// `npm run spec:diff`: explains what changed in the contract since its last publication. Fails while a break is not
// announced, or while the version or the changelog does not fit the change.
import { toMarkdown } from './markdown.ts'
import { reviewSpec } from './published.ts'

const { result } = await reviewSpec()
const text = result.documents.length > 0 ? toMarkdown(result) : 'The contract is as published.'
process.stdout.write(`${text}\n`)
if (result.problems.length > 0) process.exitCode = 1
