// Rules about all files and documents of the spec together, which a linter of single documents cannot see.
import { basename, dirname, join, relative } from 'node:path'
import type { Document } from '@redocly/openapi-core'
import { DOCUMENTS } from '../bundle.ts'
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
      const { operationId, $ref } = node as { operationId?: string; $ref?: unknown }
      // An operation has one path: two paths that refer to one file repeat its operationId.
      const isPath = basename(path) === 'openapi.yaml' && /^#\/(paths|webhooks)\//.test(pointer)
      const id = pointer.includes('/links/') ? undefined : operationId
      const key = id ?? (isPath && typeof $ref === 'string' ? join(file, '..', $ref) : undefined)
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

/** An error code: `npm run generate` makes responses and pages of its texts. */
const isErrorSource = (path: string) => basename(dirname(path)) === 'errors'

function orphanFiles({ files, reached }: Spec): Place[] {
  return [...files]
    .filter(([path]) => !reached.has(path) && !isErrorSource(path))
    .map(([, document]) => ({
      document,
      pointer: '#/',
      message: 'No document reaches the file. Refer to it in openapi.yaml, or delete it.',
    }))
}

/** The folder of the document that has a file. Documents share the other folders. */
const documentOf = ({ folder }: Spec, path: string) =>
  DOCUMENTS.find((name) => relative(folder, path).startsWith(join(name, '/')))

/** The operationIds, each with the documents that have it. Events have one, too, but no caller can send them. */
function operationsOf(spec: Spec): Map<unknown, string | undefined> {
  const operations = new Map<unknown, string | undefined>()
  for (const [path, { parsed }] of spec.files)
    for (const { node, pointer } of mappingsOf(parsed))
      if (node.operationId && !/\/(links|webhooks)\//.test(relative(spec.folder, path) + pointer))
        operations.set(node.operationId, documentOf(spec, path))
  return operations
}

/** A link of a response names an operation of its document. Tools that follow it would end there. */
function danglingLinks(spec: Spec): Place[] {
  const operations = operationsOf(spec)
  return [...spec.files].flatMap(([path, document]) =>
    [...mappingsOf(document.parsed)].flatMap(({ node, pointer }) => {
      const { operationId } = node
      const own = documentOf(spec, path) ?? operations.get(operationId)
      if (!operationId || !pointer.includes('/links/') || (own && own === operations.get(operationId)))
        return []
      const message = `The link leads to ${operationId as string}, which is no operation of the document. Correct or remove it.`
      return [{ document, pointer: `${pointer}/operationId`, message }]
    }),
  )
}

/** What is deprecated names what to use instead: an operation of its document, or another part beside itself. */
function missingReplacements(spec: Spec): Place[] {
  const operations = operationsOf(spec)
  const names = namesIn(spec)
  return [...spec.files].flatMap(([path, document]) =>
    [...mappingsOf(document.parsed)].flatMap(({ node, pointer }) => {
      const { operationId, 'x-replaced-by': name } = node
      if (name === undefined) return []
      const own = [operationId, node.name, pointer.slice(pointer.lastIndexOf('/') + 1)]
      const isOperation = operations.has(operationId)
      const isKnown = isOperation ? operations.get(name) === documentOf(spec, path) : names.has(name)
      if (isKnown && !own.includes(name)) return []
      const message = `x-replaced-by names ${name as string}. Name another operation of the document, or another field or parameter.`
      return [{ document, pointer: `${pointer}/x-replaced-by`, message }]
    }),
  )
}

/**
 * Mail addresses that may be real (RFC 2606 reserves `example`, `test` and `invalid`), and secrets in their full form.
 * Those of examples begin with 0123, and a signed receipt has no signature. One webhook secret is the published
 * example for verifying a signature.
 */
const REAL = new RegExp(
  [
    String.raw`\b[\w.+-]{1,64}@(?!(?:[\w-]+\.)*(?:example(?:\.com|\.net|\.org)?|test|invalid)(?![\w-]|\.\w))[\w-]+(?:\.[\w-]+)+`,
    String.raw`\btw[tsx]_(?:(?:live|test)_)?(?!0123)[0-9A-Za-z]{49}\b`,
    String.raw`\btwc_(?!0123)[0-9A-Za-z]{20}\b`,
    String.raw`\btwa_(?!0123)[\w-]{40,}`,
    String.raw`\bwhsec_(?!0123|9Vq0dLrW)[0-9A-Za-z+/]{43}=`,
    String.raw`\beyJ[\w-]+\.eyJ[\w-]+\.[\w-]{40,}`,
  ].join('|'),
  'g',
)

/** An example of its own, or the texts of a list of examples or values. Other parts are visited themselves. */
const textOf = (key: string, value: unknown) =>
  key === 'example' || key === 'value'
    ? JSON.stringify(value)
    : [value]
        .flat()
        .filter((each) => typeof each === 'string')
        .join(' ')

function realData({ files }: Spec): Place[] {
  return [...files.values()].flatMap((document) =>
    [...mappingsOf(document.parsed)].flatMap(({ node, pointer }) =>
      Object.entries(node).flatMap(([key, value]) =>
        [...textOf(key, value).matchAll(REAL)].slice(0, 1).map(([found]) => ({
          document,
          pointer: `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
          message: `${found} may be real. Write an address at a domain of RFC 2606, or a secret that begins with 0123.`,
        })),
      ),
    ),
  )
}

/** Functions of the client, and fields of the sandbox that texts for partners name. */
const OTHER_NAMES = ['verifyWebhook', 'base_url', 'auth_url', 'citizen_url', 'operator_url', 'operationId']
/** Words of protocols, and values that are in no enum. */
const WORDS =
  'true false null none retry http https exp iat iss jti scp sub tracestate phone help past wal expiry disabled male import'
const NAMED = ['properties', 'headers', 'schemas', 'responses', 'parameters', 'securitySchemes', 'scopes']
const NAMES = [
  /\b[\w/.-]+\.(?:ts|tsx|js|sql)\b|\bapps\/[\w/.-]+|\bsrc\/[\w/.-]+/g,
  /\b(?:[a-z]+(?:_[a-z]+)+|[a-z]+(?:[A-Z][a-z]+)+)\b/g,
  /(?<=`)[A-Z][a-z]+(?:[A-Z][a-z]+)+(?=`)/g,
  /(?<=`)[a-z]{3,}(?=`)/g,
  // Values of enums and constants. Shorter ones are methods and words of protocols, others are settings.
  /(?<=`)(?!TIWALA_|OPTIONS)[A-Z]{5,}(?:_[A-Z]+)*(?=`)/g,
]
/** The texts of documents, and those of `errors/`. */
const TEXTS = ['title', 'summary', 'description', 'message', 'meaning', 'action', 'citizen']

/** What the documents name: fields, parameters, values, operations, components. */
function namesIn({ files }: Spec): Set<unknown> {
  const names = new Set<unknown>()
  for (const { parsed, source } of files.values()) {
    for (const { node, pointer } of mappingsOf(parsed)) {
      for (const key of NAMED) for (const name of Object.keys(nodeOf(node[key]))) names.add(name)
      const id = pointer.includes('/links/') ? undefined : node.operationId
      for (const name of [node.name, id, node.const, ...listOf(node.enum)]) names.add(name)
    }
    // An example may hold JSON as text.
    for (const [, name] of source.body.matchAll(/"([a-z_]+)":/g)) names.add(name)
  }
  return names
}

/** A text names only what its readers see. */
function namesOutsideTheSpec(spec: Spec): Place[] {
  const names = new Set([...namesIn(spec), ...OTHER_NAMES, ...WORDS.split(' ')])
  return [...spec.files.values()].flatMap((document) =>
    [...mappingsOf(document.parsed)].flatMap(({ node, pointer }) =>
      TEXTS.flatMap((key) => {
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
  replacement: missingReplacements,
  'real-data': realData,
}
