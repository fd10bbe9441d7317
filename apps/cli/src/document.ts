// The operator document, as far as a command is made of it.
import { type OperatorOperations, routes } from '@tiwala/contract'
import operator from '@tiwala/contract/operator.json' with { type: 'json' }

export type OperatorId = keyof OperatorOperations

export type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: string[]
  default?: string | number | boolean
  minimum?: number
  maximum?: number
  maxItems?: number
  minProperties?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  description?: string
}
type Media = { schema: Schema; 'x-max-bytes'?: number }
type Content = Record<string, Media>
type DocumentParameter = { $ref?: string; name: string; in: 'path' | 'query'; required?: boolean; description?: string; schema: Schema }
type Operation = {
  summary: string
  description: string
  tags: [string]
  security: [{ operatorToken: string[] }]
  parameters?: DocumentParameter[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}
type Document = {
  info: { version: string }
  servers: [{ url: string }]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
}

const document = operator as unknown as Document

export const API_VERSION = document.info.version
/** Where `npm start` serves it. */
export const DEFAULT_URL = document.servers[0].url
/** What stands between a server's address and the paths of the document. */
export const BASE_PATH = new URL(DEFAULT_URL).pathname

export function operationOf(id: OperatorId): Operation {
  const { method, path } = routes.operator[id]
  return document.paths[path]![method]!
}

export const tagOf = (id: OperatorId) => document.tags.find(({ name }) => name === operationOf(id).tags[0])!

/** The scopes that the administrator's token must hold. */
export const scopesOf = (id: OperatorId): string[] => operationOf(id).security[0].operatorToken

/** What stands where a reference points, with what stands beside the reference. */
export function resolve<T extends { $ref?: string }>(given: T): T {
  if (!given.$ref) return given
  const { $ref, ...beside } = given
  const found = $ref
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document)
  return { ...resolve(found as T), ...beside }
}

export function requestBodyOf(id: OperatorId): (Media & { type: string }) | undefined {
  const [type, media] = Object.entries(operationOf(id).requestBody?.content ?? {})[0] ?? []
  return type && media ? { ...media, type, schema: resolve(media.schema) } : undefined
}

/** The fields of the answer. */
export function responseFieldsOf(id: OperatorId): Record<string, Schema> {
  const { responses } = operationOf(id)
  const { schema } = (responses['200'] ?? responses['201'])!.content!['application/json']!
  return resolve(schema).properties ?? {}
}

export const isPaged = (id: OperatorId): boolean => 'next_cursor' in responseFieldsOf(id)
