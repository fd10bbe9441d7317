// The parts of the document from which the program builds its commands.
import type { OperatorOperations } from '@tiwala/contract'
import { resolve as resolveIn } from '@tiwala/contract/references'
import { api } from '#api'

/** Of the operator document. The program for members has the workbench document instead. */
export type OperationId = keyof OperatorOperations

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
type DocumentParameter = {
  $ref?: string
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
}
type Operation = {
  summary: string
  description: string
  tags: [string]
  security: [{ operatorToken: string[] }]
  parameters?: DocumentParameter[]
  requestBody?: { content: Content }
  responses: Record<string, { $ref?: string; content?: Content }>
}
type Document = {
  info: { version: string }
  servers: [{ url: string }]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
}

const document = api.document as Document

export const API_VERSION = document.info.version
/** The address at which `npm start` serves the operator API. */
export const DEFAULT_URL = document.servers[0].url
/** The prefix of every path of the document, without scheme and host. */
export const BASE_PATH = new URL(DEFAULT_URL).pathname

export function operationOf(id: OperationId): Operation {
  const { method, path } = api.routes[id]
  return document.paths[path]![method]!
}

export const tagOf = (id: OperationId) => document.tags.find(({ name }) => name === operationOf(id).tags[0])!

/** The scopes that the administrator's token must have. */
export const scopesOf = (id: OperationId): string[] => operationOf(id).security[0].operatorToken

export const resolve = <T extends object>(node: T): T => resolveIn(document, node)

export function requestBodyOf(id: OperationId): (Media & { type: string }) | undefined {
  const [type, media] = Object.entries(operationOf(id).requestBody?.content ?? {})[0] ?? []
  return type && media ? { ...media, type, schema: resolve(media.schema) } : undefined
}

/** The fields of the successful response. */
export function responseFieldsOf(id: OperationId): Record<string, Schema> {
  const { responses } = operationOf(id)
  const { schema } = resolve((responses['200'] ?? responses['201'])!).content!['application/json']!
  return resolve(schema).properties ?? {}
}

/** The schema of the rows that a list consists of, and the name of the field that holds them. */
function listOf(id: OperationId): [name: string, row: Schema] | undefined {
  // Another operation shows one object, which may have a list in it.
  if (!/^(list|find)/.test(id) || api.routes[id].method !== 'get') return undefined
  for (const [name, field] of Object.entries(responseFieldsOf(id))) {
    const row = resolve(resolve(field).items ?? {})
    if (row.properties) return [name, row]
  }
  return undefined
}

export const isList = (id: OperationId): boolean => listOf(id) !== undefined

/** The rows of a page. */
export const rowsOf = (id: OperationId, page: object): Record<string, unknown>[] =>
  (page as Record<string, Record<string, unknown>[]>)[listOf(id)![0]]!

/** All fields of a row. */
export const fieldsOf = (id: OperationId): string[] => Object.keys(listOf(id)![1].properties!)

/** The fields of a row that a cell can show. */
export const columnsOf = (id: OperationId): string[] =>
  Object.entries(listOf(id)![1].properties!).flatMap(([name, field]) =>
    resolve(field).type === 'object' ? [] : [name],
  )

export const isPaged = (id: OperationId): boolean => 'next_cursor' in responseFieldsOf(id)
