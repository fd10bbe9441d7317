// Files that no document reaches.
import { relative } from 'node:path'
import { type Place, rootsOf, type Spec } from '../files.ts'
import { referencesOf } from '../references.ts'
import { explain } from '../rule.ts'

export function orphanFiles({ folder, files }: Spec): Place[] {
  const reached = new Set<string>()
  const visit = (path: string): void => {
    if (reached.has(path)) return
    reached.add(path)
    for (const { target } of referencesOf(path, files.get(path)!)) visit(target)
  }
  for (const root of rootsOf(files)) visit(root)
  return [...files]
    .filter(([path]) => !reached.has(path))
    .map(([path, document]) => {
      const message = explain(
        `No document reaches ${relative(folder, path)}.`,
        'It looks like a part of the contract, but no reader, client or test sees it.',
        'a $ref to it in openapi.yaml, or delete the file.',
      )
      return { document, pointer: '#/', message }
    })
}
