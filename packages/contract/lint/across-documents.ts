// Rules about all files and documents of the spec together, which a linter of single documents cannot see.
import { basename, dirname, join, relative } from 'node:path'
import type { Document } from '@redocly/openapi-core'
import { targetOf } from '../references.ts'
import { listOf, type Node, nodeOf } from './plugin.ts'

/** The parsed files of spec/ by their paths, and whether a document reaches them. */
export type Spec = { folder: string; files: ReadonlyMap<string, Document>; reached: ReadonlySet<string> }
export type Place = { document: Document; pointer: string; message: string }

/** Every mapping of a file, except of examples, which are data. */
function* mappingsOf(value: unknown, pointer = '#'): Generator<{ node: Node; pointer: string }> {
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* mappingsOf(item, `${pointer}/${index}`)
  const node = nodeOf(value)
  if (Object.keys(node).length) yield { node, pointer }
  for (const [key, inner] of Object.entries(node))
    if (key !== 'example' && key !== 'value')
      yield* mappingsOf(inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
}

/** References that lead to each other in a circle. Redocly ends the process when it meets one. */
export function selfReferences(files: ReadonlyMap<string, Document>): Place[] {
  const targetOfNode = (path: string, { $ref }: Node) => {
    const [file, fragment = ''] = String($ref).split('#', 2)
    const target = file ? join(dirname(path), file) : path
    const parsed = files.get(target)?.parsed as object | undefined
    return { path: target, node: nodeOf(parsed && targetOf(parsed, `#${fragment}`)) }
  }
  return [...files].flatMap(([path, document]) =>
    [...mappingsOf(document.parsed)].flatMap(({ node, pointer }) => {
      const passed = new Set<Node>()
      let at = { path, node }
      for (; typeof at.node.$ref === 'string' && !passed.has(at.node); at = targetOfNode(at.path, at.node))
        passed.add(at.node)
      if (at.node !== node || passed.size === 0) return []
      const message = `${String(node.$ref)} leads back to this place. Refer to a part, not to a reference to it.`
      return [{ document, pointer: `${pointer}/$ref`, message }]
    }),
  )
}

/** Operations of all documents share one namespace: routes, types, tests and the table of operations. */
function takenOperationIds({ folder, files }: Spec): Place[] {
  const first = new Map<string, string>()
  const places: Place[] = []
  for (const [path, document] of files)
    for (const { node, pointer } of mappingsOf(document.parsed)) {
      const file = relative(folder, path)
      const { operationId, $ref } = node as { operationId?: string; $ref?: string }
      // An operation has one path: two paths that refer to one file repeat its operationId.
      const isPath = basename(path) === 'openapi.yaml' && /^#\/(paths|webhooks)\//.test(pointer)
      const id = pointer.includes('/links/') ? undefined : operationId
      const key = id ?? (isPath && $ref ? join(file, '..', $ref) : undefined)
      const other = key && first.get(key)
      if (other)
        places.push({
          document,
          pointer: `${pointer}/${id ? 'operationId' : '$ref'}`,
          message: `${key} is taken in spec/${other}. The documents share one namespace: write another.`,
        })
      if (key) first.set(key, other ?? file)
    }
  return places
}

function orphanFiles({ files, reached }: Spec): Place[] {
  return [...files]
    .filter(([path]) => !reached.has(path))
    .map(([, document]) => ({
      document,
      pointer: '#/',
      message: 'No document reaches the file. Refer to it in openapi.yaml, or delete it.',
    }))
}

/** A link of a response names an operation. Tools that follow it would end there. */
function danglingLinks({ files }: Spec): Place[] {
  const all = [...files.values()].flatMap((document) =>
    [...mappingsOf(document.parsed)].flatMap(({ node, pointer }) =>
      typeof node.operationId === 'string' ? [{ document, pointer, id: node.operationId }] : [],
    ),
  )
  const isLink = ({ pointer }: { pointer: string }) => pointer.includes('/links/')
  const known = new Set(all.filter((each) => !isLink(each)).map(({ id }) => id))
  return all
    .filter((each) => isLink(each) && !known.has(each.id))
    .map(({ document, pointer, id }) => ({
      document,
      pointer: `${pointer}/operationId`,
      message: `The link leads to ${id}, which is no operation. Correct or remove it.`,
    }))
}

/** Mail addresses that may be real, and secrets in their full form. */
const REAL =
  /\b[\w.+-]{1,64}@(?!(?:[\w-]+\.)*(?:example|test|invalid)\b)[\w-]+(?:\.[\w-]+)+|\btw[ts]_(?:live|test)_(?!0123)[0-9A-Za-z]{49}\b/g

const textOf = (key: string, value: unknown) =>
  typeof value === 'string' || key === 'example' || key === 'value' ? JSON.stringify(value) : ''

function realData({ files }: Spec): Place[] {
  return [...files.values()].flatMap((document) =>
    [...mappingsOf(document.parsed)].flatMap(({ node, pointer }) =>
      Object.entries(node).flatMap(([key, value]) =>
        [...textOf(key, value).matchAll(REAL)].slice(0, 1).map(([found]) => ({
          document,
          pointer: `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
          message: `${found} may be real. Write an address at a domain of RFC 2606, or a shortened secret.`,
        })),
      ),
    ),
  )
}

/** Functions of the client, and fields of the sandbox that texts for partners name. */
const OTHER_NAMES = ['verifyWebhook', 'base_url', 'auth_url', 'citizen_url', 'operator_url', 'operationId']
const NAMED = ['properties', 'headers', 'schemas', 'responses', 'parameters', 'securitySchemes', 'scopes']
const NAMES = [
  /\b[\w/.-]+\.(?:ts|tsx|js|sql)\b|\bapps\/[\w/.-]+|\bsrc\/[\w/.-]+/g,
  /\b(?:[a-z]+(?:_[a-z]+)+|[a-z]+(?:[A-Z][a-z]+)+)\b/g,
  /(?<=`)[A-Z][a-z]+(?:[A-Z][a-z]+)+(?=`)/g,
  // Values of enums and constants. Shorter ones are methods and words of protocols, others are settings.
  /(?<=`)(?!TIWALA_|OPTIONS)[A-Z]{5,}(?:_[A-Z]+)*(?=`)/g,
]

/** A text names only what its readers see: fields, parameters, values, operations, components. */
function namesOutsideTheSpec({ files }: Spec): Place[] {
  const names = new Set<unknown>(OTHER_NAMES)
  for (const { parsed, source } of files.values()) {
    for (const { node, pointer } of mappingsOf(parsed)) {
      for (const key of NAMED) for (const name of Object.keys(nodeOf(node[key]))) names.add(name)
      const id = pointer.includes('/links/') ? undefined : node.operationId
      for (const name of [node.name, id, node.const, ...listOf(node.enum)]) names.add(name)
    }
    // An example may hold JSON as text.
    for (const [, name] of source.body.matchAll(/"([a-z_]+)":/g)) names.add(name)
  }
  return [...files.values()].flatMap((document) =>
    [...mappingsOf(document.parsed)].flatMap(({ node, pointer }) =>
      ['title', 'summary', 'description', 'x-replaced-by'].flatMap((key) => {
        const text = typeof node[key] === 'string' ? node[key].replaceAll(/^ *```[^]*?^ *```/gm, '') : ''
        const unknown = NAMES.flatMap((pattern) => text.match(pattern) ?? []).filter(
          (name) => !names.has(name),
        )
        return [...new Set(unknown)].map((name) => ({
          document,
          pointer: `${pointer}/${key}`,
          message: `The text names ${name}, which is not in the spec. Name what the reader sees: a field, an operation.`,
        }))
      }),
    ),
  )
}

export const CHECKS: Readonly<Record<string, (spec: Spec) => Place[]>> = {
  'operation-id': takenOperationIds,
  'orphan-file': orphanFiles,
  'public-name': namesOutsideTheSpec,
  link: danglingLinks,
  'real-data': realData,
}
