// Generates what the documents say about errors: spec/schemas/error-code.yaml and spec/responses/*.yaml. The
// sources are the catalogue and the table spec/sources/error-responses.yaml.
import { type Catalogue, exampleBody } from './error-catalogue.ts'
import { generatedYaml } from './generated-yaml.ts'
import { placeOf, readYaml } from './spec-files.ts'

type ResponseEntry = {
  description: string
  codes: string[]
  showsRateLimit?: boolean
  message?: string
  errors?: Record<string, Record<string, string[]>>
}

const SOURCE = 'sources/error-responses.yaml'
/** No operation returns these codes: a request that matches no operation gets them. */
const CODES_WITHOUT_OPERATION = ['method_not_allowed']
const ALWAYS_SENT = ['X-Request-Id', 'traceparent', 'Cache-Control', 'Link']
const RATE_LIMIT = ['RateLimit', 'RateLimit-Policy']
/** The file in spec/headers/ of each header that an error response may have. */
const HEADER_FILES: Record<string, string> = {
  'X-Request-Id': 'request-id',
  traceparent: 'traceparent',
  'Cache-Control': 'cache-control',
  Link: 'link',
  'Retry-After': 'retry-after-error',
  'WWW-Authenticate': 'www-authenticate',
  'Access-Control-Allow-Origin': 'access-control-allow-origin',
  RateLimit: 'rate-limit',
  'RateLimit-Policy': 'rate-limit-policy',
}

/** The texts of the files, by their paths in spec/. */
export function errorDocuments(spec: string, catalogue: Catalogue): Record<string, string> {
  const errorCode = generatedYaml('spec/errors/', {
    type: 'string',
    title: 'Error code',
    description:
      'The stable code of an error. Your program decides by this code. `message` is for people and can ' +
      'change.',
    enum: Object.keys(catalogue),
  })
  const table = readYaml(spec, SOURCE) as Record<string, ResponseEntry>
  const files: Record<string, string> = { 'schemas/error-code.yaml': errorCode }
  for (const [name, entry] of Object.entries(table))
    files[`responses/${name}.yaml`] = generatedYaml(
      'spec/sources/error-responses.yaml and spec/errors/',
      toResponse(spec, catalogue, name, entry),
    )
  const used = new Set([...CODES_WITHOUT_OPERATION, ...Object.values(table).flatMap(({ codes }) => codes)])
  const unused = Object.keys(catalogue).find((code) => !used.has(code))
  if (unused)
    throw new Error(
      `spec/errors/${unused}.yaml:1:1 No response has the code. Add it to codes in spec/${SOURCE}.`,
    )
  return files
}

function toResponse(spec: string, catalogue: Catalogue, name: string, response: ResponseEntry) {
  const { description, codes, showsRateLimit = false, message, errors } = response
  const refuse = (what: string) => new Error(`${placeOf(spec, SOURCE, `#/${name}`)} ${name}: ${what}`)
  const entries = codes.map((code) => {
    if (!catalogue[code])
      throw refuse(`There is no code ${code}. Add spec/errors/${code}.yaml, or correct it.`)
    const example = message ? { message } : errors?.[code] && { errors: errors[code] }
    return { code, ...catalogue[code], ...(example && { example }) }
  })
  const [status, ...others] = new Set(entries.map((entry) => entry.status))
  if (others.length > 0)
    throw refuse(
      `The codes have the statuses ${[status, ...others].join(', ')}. Write a response for each status.`,
    )

  const isInAll = (header: string) => entries.every(({ headers = {} }) => header in headers)
  const ofCodes = [...new Set(entries.flatMap(({ headers = {} }) => Object.keys(headers)))]
  const unknown = ofCodes.find((header) => !(header in HEADER_FILES))
  if (unknown)
    throw refuse(
      `The header ${unknown} of its codes has no file. Add it to HEADER_FILES in packages/contract/generator/error-documents.ts.`,
    )
  const required = [...ALWAYS_SENT, ...ofCodes.filter(isInAll)]
  const optional = [...ofCodes.filter((header) => !isInAll(header)), ...(showsRateLimit ? RATE_LIMIT : [])]
  const headers: Record<string, object> = {}
  for (const header of required) headers[header] = { $ref: `../headers/${HEADER_FILES[header]}.yaml` }
  for (const header of optional) headers[header] = readOptional(spec, header)
  return {
    description,
    headers,
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '../schemas/error.yaml' },
            {
              type: 'object',
              properties: {
                status: { type: 'integer', const: status },
                error: { type: 'string', enum: codes },
              },
            },
          ],
        },
        examples: Object.fromEntries(
          entries.map((entry) => [entry.code, { value: exampleBody(entry.code, entry) }]),
        ),
      },
    },
  }
}

/** A reference cannot make a required header optional, so the response gets a copy of such a header. */
function readOptional(spec: string, header: string): object {
  const path = `headers/${HEADER_FILES[header]}.yaml`
  const { required, ...rest } = readYaml(spec, path) as { required?: boolean }
  return required ? rest : { $ref: `../${path}` }
}
