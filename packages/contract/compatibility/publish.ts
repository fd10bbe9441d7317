// `npm run spec:publish`: makes the documents in spec/ the published ones. Refuses while `npm run spec:diff` fails.
import { toMarkdown } from './markdown.ts'
import { publish, reviewSpec } from './published.ts'

const { revisions, result } = await reviewSpec()
if (result.documents.length === 0) process.stdout.write('The contract is as published.\n')
else if (result.problems.length > 0) {
  process.stdout.write(`${toMarkdown(result)}\n\nNot published.\n`)
  process.exitCode = 1
} else {
  await publish(revisions)
  process.stdout.write('Published. Commit spec/published/ with the change.\n')
}
