// The documents as data, read without the code of the server.
import type { DocumentName, OperationId } from '@tiwala/contract'
import citizenApp from '@tiwala/contract/citizen-app.json' with { type: 'json' }
import operator from '@tiwala/contract/operator.json' with { type: 'json' }
import partner from '@tiwala/contract/partner.json' with { type: 'json' }
import { targetOf } from '@tiwala/contract/references'
import workbench from '@tiwala/contract/workbench.json' with { type: 'json' }
import { documentOf, routeOf } from '@tiwala/kit/operations'
import addFormats from 'ajv-formats'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { flatDocument31 } from './flat-document.ts'

type Secured = { security?: Record<string, string[]>[] }
type Document = Required<Secured> & {
  servers: { url: string }[]
  paths: Record<string, Record<string, { responses: Record<string, object> }>>
  webhooks?: Record<string, object>
  components: Record<string, Record<string, object>>
}
/** A part of a document, and its JSON pointer, which contains no `$ref`. */
export type Part = { document: DocumentName; pointer: string; value: Record<string, unknown> }

export const documents = { partner, 'citizen-app': citizenApp, operator, workbench } as unknown as Record<
  DocumentName,
  Document
>

const uriOf = (name: DocumentName) => `https://contract.invalid/${name}`
// Strict schemas: an unknown format or keyword fails instead of accepting every value.
const ajv = new Ajv2020({ strictSchema: true, allErrors: true })
addFormats.default(ajv)
ajv.addVocabulary([
  'example',
  'x-extensible-enum',
  'x-max-bytes',
  ...new Set(Object.values(documents).flatMap(Object.keys)),
])
for (const [name, document] of Object.entries(documents))
  ajv.addSchema(document, uriOf(name as DocumentName), undefined, false)
const FLAT = 'https://contract.invalid/partner-3.0'
ajv.addSchema(flatDocument31, FLAT, undefined, false)

export const documentedStatuses = (id: OperationId): number[] => {
  const { method, path } = routeOf(id)
  return Object.keys(documents[documentOf(id)].paths[path]![method]!.responses).map(Number)
}

/** The part of a part, behind the `$ref`s on the way. `undefined`: there is no such part. */
export function partOf({ document, pointer, value }: Part, ...keys: string[]): Part | undefined {
  const [key, ...rest] = keys
  if (key === undefined) return { document, pointer, value }
  const inner = value[key] as Record<string, unknown> | undefined
  if (!inner) return undefined
  const found = { document, pointer: `${pointer}/${encodePointerKey(key)}`, value: inner }
  return partOf(behindReferences(found), ...rest)
}

function behindReferences(part: Part): Part {
  const { $ref } = part.value as { $ref?: string }
  if (!$ref) return part
  const value = targetOf(documents[part.document], $ref) as Part['value']
  return behindReferences({ ...part, pointer: $ref, value })
}

export const wholeDocument = (document: DocumentName): Part => ({
  document,
  pointer: '#',
  value: documents[document],
})

const operationOf = (id: OperationId): Part => {
  const { method, path } = routeOf(id)
  return partOf(wholeDocument(documentOf(id)), 'paths', path, method)!
}

/** The schema of a request body of this media type. `undefined`: the operation does not accept the type. */
export const bodySchemaOf = (id: OperationId, type: string): Part | undefined =>
  partOf(operationOf(id), 'requestBody', 'content', type, 'schema')

/** The bodies that an operation accepts, by media type. */
export const requestBodiesOf = (id: OperationId): Record<string, Part> => {
  const content = partOf(operationOf(id), 'requestBody', 'content')
  return Object.fromEntries(Object.keys(content?.value ?? {}).map((type) => [type, partOf(content!, type)!]))
}

/** The first example of a body. */
export function exampleOf(media: Part): unknown {
  const [name] = Object.keys(media.value['examples'] ?? {})
  return name === undefined ? media.value['example'] : partOf(media, 'examples', name)!.value['value']
}

/** The names of the security schemes whose credentials an operation needs: of the first alternative. */
export const schemesOf = (id: OperationId): string[] => {
  const { security = documents[documentOf(id)].security } = operationOf(id).value as Secured
  return Object.keys(security[0] ?? {})
}

/** The scopes, or the role, in the security of an operation. */
export const scopesOf = (id: OperationId): string[] => {
  const { security = documents[documentOf(id)].security } = operationOf(id).value as Secured
  return Object.values(security[0] ?? {}).flat()
}

/** The scope of a partner that an operation needs: in its security, or beside the secret in its body. */
export function neededScopeOf(id: OperationId): string | undefined {
  const [scope] = scopesOf(id)
  const { 'application/json': json } = requestBodiesOf(id)
  return scope ?? (json && (exampleOf(json) as { scope?: string }).scope)
}

/** The parameters of an operation, also those of its path. */
export function parametersOf(id: OperationId): Part[] {
  const path = partOf(wholeDocument(documentOf(id)), 'paths', routeOf(id).path)!
  return [path, operationOf(id)].flatMap((owner) => {
    const parameters = partOf(owner, 'parameters')
    return Object.keys(parameters?.value ?? {}).map((index) => partOf(parameters!, index)!)
  })
}

export function responseOf(id: OperationId, status: number): Part | undefined {
  return partOf(operationOf(id), 'responses', String(status))
}

/** The validator of a schema. ajv compiles each schema once. */
export const validatorOf = ({ document, pointer }: Part): ValidateFunction =>
  ajv.getSchema(uriOf(document) + pointer)!

/** The validators of a schema, and of its counterpart in the document for generators of clients. */
export const validatorsOf = (part: Part, flatPointer = part.pointer): ValidateFunction[] =>
  part.document === 'partner' ? [validatorOf(part), ajv.getSchema(FLAT + flatPointer)!] : [validatorOf(part)]

/** What the last call of a validator has found. */
export const errorsOf = ({ errors }: ValidateFunction): string => ajv.errorsText(errors)

/** `undefined`: the text is not JSON, and no schema accepts `undefined`. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const encodePointerKey = (key: string) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))
