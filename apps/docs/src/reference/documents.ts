import type { DocumentName } from '@tiwala/contract'
import citizenApp from '@tiwala/contract/citizen-app.json'
import operator from '@tiwala/contract/operator.json'
import partner from '@tiwala/contract/partner.json'
import { resolve } from '@tiwala/contract/references'
import workbench from '@tiwala/contract/workbench.json'
import { site } from '../site.ts'
import type { Deprecation } from './deprecation.ts'
import type { Schema } from './schema.ts'
import { forSite } from './texts.ts'

type Example = { $ref?: string; summary?: string; value?: unknown }
export type Media = {
  schema: Schema
  /** The schema of each line or event, if the body is a sequence (`itemSchema` of OpenAPI 3.2). */
  'x-item-schema'?: Schema
  example?: unknown
  examples?: Record<string, Example>
}
export type Header = Deprecation & {
  $ref?: string
  description?: string
  schema: Schema
  example?: string | number
}
export type Parameter = Header & { name: string; in: 'query' | 'path' | 'header'; required?: boolean }
export type Response = {
  $ref?: string
  description: string
  headers?: Record<string, Header>
  content?: Record<string, Media>
}
export type OperationObject = Deprecation & {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security?: Record<string, string[]>[]
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, Response>
  'x-codeSamples': { lang: string; label: string; source: string }[]
}
export type Document = {
  info: { title: string; summary: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  security?: Record<string, string[]>[]
  paths: Record<string, Record<string, OperationObject>>
  webhooks?: Record<string, { post: OperationObject }>
  components: {
    schemas: Record<string, Schema>
    securitySchemes: Record<string, { description: string; name?: string }>
  } & Record<string, Record<string, unknown>>
}

const DOCUMENTS = { partner, 'citizen-app': citizenApp, operator, workbench }

/** The documents of this site, with the texts that fit it. */
export const documents = new Map(
  site.documents.map((name): [DocumentName, Document] => [
    name,
    forSite(DOCUMENTS[name]) as unknown as Document,
  ]),
)

/** What a reference to a response, a header, a parameter or an example leads to. */
export const follow = <Part extends object>(part: Part | { $ref: string }, document: Document): Part =>
  resolve(document, part as Part)

/** The examples of a body, by their titles. */
export const examplesOf = ({ example, examples = {} }: Media, document: Document) => [
  ...(example === undefined ? [] : [{ name: '', title: '', value: example }]),
  ...Object.entries(examples).map(([name, each]) => {
    const { summary = '', value } = follow<Example>(each, document)
    return { name, title: summary, value }
  }),
]
