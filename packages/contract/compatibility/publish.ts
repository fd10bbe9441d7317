// `npm run spec:publish`: makes the documents in spec/ the published ones. Refuses while `npm run spec:diff`
// fails.
import { toMarkdown } from './markdown.ts'
import { publish, readChangelog, readRevisions } from './published.ts'

const result = await publish(await readRevisions(), await readChangelog())
process.stdout.write(toMarkdown(result))
if (result.problems.length > 0) {
  process.stdout.write('\nNot published.\n')
  process.exitCode = 1
} else if (result.documents.length > 0)
  process.stdout.write('\nPublished. Commit spec/published/ with the change.\n')
