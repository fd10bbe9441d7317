import { readFile, writeFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Bundle, bundle, DOCUMENTS, toText } from '../bundle.ts'
import { listChanges } from './redocly.ts'
import { review, type Review, type Revision } from './review.ts'

const SPEC = new URL('../../../spec/', import.meta.url)

/** Where the last published bundle of each document is. */
export const PUBLISHED = new URL('published/', SPEC)

export const readChangelog = () => readFile(new URL('CHANGELOG.md', SPEC), 'utf8')

/** Reads each document as published and as `spec/` has it now. */
export function readRevisions(): Promise<Revision[]> {
  return Promise.all(
    DOCUMENTS.map(async (name) => {
      const before = JSON.parse(await readFile(new URL(`${name}.json`, PUBLISHED), 'utf8')) as Bundle
      const after = await bundle(name)
      const changes = isDeepStrictEqual(before, after) ? [] : await listChanges(before, after)
      return { name, before, after, changes }
    }),
  )
}

/** Writes the current documents to the folder of the published ones, unless the review has problems. */
export async function publish(revisions: Revision[], changelog: string, folder = PUBLISHED): Promise<Review> {
  const result = review(revisions, changelog)
  if (result.problems.length === 0)
    await Promise.all(
      revisions.map(({ name, after }) => writeFile(new URL(`${name}.json`, folder), toText(after))),
    )
  return result
}
