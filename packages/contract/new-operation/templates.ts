import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const

/**
 * The refusals of nearly every operation of a document, and its security if the author must decide about it.
 */
const DOCUMENTS: Record<string, { security: string; refusals: Record<string, string> }> = {
  partner: { security: '', refusals: { 401: 'CredentialsRefused', 403: 'PartnerRefused' } },
  'citizen-app': { security: '', refusals: { 401: 'IdentityTokenRefused', 404: 'NotFound' } },
  operator: {
    security: "security:\n  - operatorToken: ['DECIDE_THE_SCOPE']\n",
    refusals: { 401: 'IdentityTokenRefused', 403: 'OperatorRefused', 404: 'NotFound' },
  },
}
const REFUSALS = {
  400: 'MalformedRequest',
  406: 'NotAcceptable',
  422: 'ValidationFailed',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'Unavailable',
}
const REFUSALS_OF_BODIES = { 413: 'PayloadTooLarge', 415: 'UnsupportedMediaType' }

export const kebab = (id: string) => id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
const pascal = (name: string) => name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

export function template(file: string, values: Record<string, string> = {}): string {
  const text = readFileSync(join(import.meta.dirname, file), 'utf8')
  return Object.entries(values).reduce((filled, [name, value]) => filled.replaceAll(`{${name}}`, value), text)
}

type NewPath = { document: string; operation: string; method: string; path: string; index: string }

/** The file of the operation in `paths/`. `index` is the text of its document. */
export function pathFile({ document, operation, method, path, index }: NewPath): string {
  const hasBody = method !== 'get' && method !== 'delete'
  const { security, refusals } = DOCUMENTS[document]!
  const statuses = Object.entries({ ...REFUSALS, ...refusals, ...(hasBody && REFUSALS_OF_BODIES) })
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  return template('path.yaml.txt', {
    operationId: operation,
    security,
    parameters: [...names, 'traceparent'].map((name) => parameter(name, index)).join(''),
    requestBody: hasBody ? template('request-body.yaml.txt') : '',
    refusals: statuses
      .map(([status, name]) => `  '${status}': { $ref: ../openapi.yaml#/components/responses/${name} }`)
      .join('\n'),
  })
}

const parameter = (name: string, index: string): string =>
  index.includes(`    ${pascal(name)}: { $ref: ../parameters/`)
    ? `  - $ref: ../openapi.yaml#/components/parameters/${pascal(name)}\n`
    : `  - name: ${name}
    in: path
    required: true
    description: DECIDE_THE_DESCRIPTION
    schema: { type: string, minLength: 1, maxLength: 64 }
    example: DECIDE_THE_EXAMPLE
`
