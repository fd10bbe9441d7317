// References to and from the files of operations.
import { basename, dirname, relative } from 'node:path'
import { type Place, rootsOf, type Spec } from '../files.ts'
import { referencesOf } from '../references.ts'
import { explain } from '../rule.ts'

export function repeatedPathFiles({ files }: Spec): Place[] {
  return rootsOf(files).flatMap((root) => {
    const inPaths = referencesOf(root, files.get(root)!).filter(({ pointer }) =>
      /^#\/(paths|webhooks)\//.test(pointer),
    )
    return inPaths
      .filter(({ target }, index) => inPaths.findIndex((other) => other.target === target) < index)
      .map(({ pointer, target }) => {
        const message = explain(
          `Another path already uses ${relative(dirname(root), target)}.`,
          'An operation has one path: the server and the client find it by its operationId.',
          'a file of its own for the operation.',
        )
        return { document: files.get(root)!, pointer, message }
      })
  })
}

/** A path file refers to components through its document, and to whole examples. */
export function referencesPastTheDocument({ files }: Spec): Place[] {
  return [...files]
    .filter(([path]) => /^(paths|webhooks)$/.test(basename(dirname(path))))
    .flatMap(([path, document]) =>
      referencesOf(path, document)
        .filter(
          ({ target }) => basename(target) !== 'openapi.yaml' && basename(dirname(target)) !== 'examples',
        )
        .map(({ pointer, target }) => {
          const message = explain(
            `The reference to ${relative(dirname(path), target)} does not go through the document.`,
            'The generated document refers to #/components only: the type would have no name.',
            '../openapi.yaml#/components/ and the name under which the document lists it.',
          )
          return { document, pointer, message }
        }),
    )
}
