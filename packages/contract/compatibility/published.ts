import { readFile, writeFile } from 'node:fs/promises'
import { type Bundle, bundle, DOCUMENTS, type DocumentName, toText } from '../bundle.ts'
import { listChanges } from './redocly.ts'
import { review, type Review, type Revision } from './review.ts'

const SPEC = new URL('../../../spec/', import.meta.url)
const fileOf = (name: DocumentName) => new URL(`published/${name}.json`, SPEC)

/** Compares the documents in `spec/` with those in `spec/published/`. */
export async function reviewSpec(): Promise<{ revisions: Revision[]; result: Review }> {
  const revisions = await Promise.all(
    DOCUMENTS.map(async (name) => ({
      name,
      before: JSON.parse(await readFile(fileOf(name), 'utf8')) as Bundle,
      after: await bundle(name),
    })),
  )
  const changelog = await readFile(new URL('CHANGELOG.md', SPEC), 'utf8')
  return { revisions, result: await review(revisions, changelog, listChanges) }
}

/** Makes the documents in `spec/` the published ones. */
export const publish = (revisions: Revision[]) =>
  Promise.all(revisions.map(({ name, after }) => writeFile(fileOf(name), toText(after))))
