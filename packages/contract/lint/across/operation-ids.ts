// OperationIds that two operations have, perhaps in two documents.
import { relative } from 'node:path'
import { type Place, type Spec } from '../files.ts'
import { explain, isNode, nodeOf, type Node, escaped } from '../rule.ts'

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace']

export function repeatedOperationIds({ folder, files }: Spec): Place[] {
  const first = new Map<string, string>()
  return [...files].flatMap(([path, document]) =>
    operationsIn(document.parsed).flatMap(({ operation, pointer }) => {
      const id = operation.operationId
      if (typeof id !== 'string') return []
      const other = first.get(id)
      if (!other) {
        first.set(id, relative(folder, path))
        return []
      }
      const message = explain(
        `The operationId ${id} is also in ${other}.`,
        'Routes, types, tests and the table of operations use it as the key, across all documents.',
        'another operationId, and the name of the file after it.',
      )
      return [{ document, pointer: `${pointer}/operationId`, message }]
    }),
  )
}

/** The operations of a file: a path item, one operation alone, or those written in the root document. */
function operationsIn(parsed: unknown): { operation: Node; pointer: string }[] {
  const root = nodeOf(parsed)
  const ofItem = (item: unknown, pointer: string) =>
    METHODS.filter((method) => isNode(nodeOf(item)[method])).map((method) => ({
      operation: nodeOf(nodeOf(item)[method]),
      pointer: `${pointer}/${method}`,
    }))
  const inPaths = ['paths', 'webhooks'].flatMap((key) =>
    Object.entries(nodeOf(root[key])).flatMap(([path, item]) => ofItem(item, `#/${key}/${escaped(path)}`)),
  )
  return [
    ...('operationId' in root ? [{ operation: root, pointer: '#' }] : []),
    ...ofItem(root, '#'),
    ...inPaths,
  ]
}
