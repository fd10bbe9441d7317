// Adds the request of the example to each operation, as `x-codeSamples`. HTTPSnippet writes the programs. They
// read credentials from environment variables, so that no reader writes a secret into a program.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HTTPSnippet } from '@readme/httpsnippet'
import { isObject, type Json, resolve } from '../../references.ts'
import { ADDED_BY_TRACING, within } from '../flat-document.ts'
import { classNameOf } from './run-commands.ts'

type Request = ConstructorParameters<typeof HTTPSnippet>[0]
type PostData = { mimeType: string; text?: string; params?: { name: string; value: string }[] }
type Client = Parameters<HTTPSnippet['convert']>
type Language = {
  lang: string
  label: string
  client: [Client[0], Client[1], Client[2]?]
  /** An environment variable, as an expression of the language. */
  variable(name: string): string
  /** Joins two strings. */
  operator: string
  complete?: (source: string, operationId: string) => string
}
type Parameter = {
  name: string
  in: string
  explode?: boolean
  example?: unknown
  examples?: Record<string, Json>
}
type Media = { example?: unknown; examples?: Record<string, Json> }
type Document = Json & {
  servers: { url: string }[]
  paths: Record<string, Record<string, Json>>
  security: readonly Record<string, unknown>[]
}

const PROGRAMS: readonly Language[] = [
  {
    lang: 'Python',
    label: 'Python',
    client: ['python', 'requests'],
    variable: (name) => `os.environ["${name}"]`,
    operator: '+',
    complete: (source) => (source.includes('os.environ') ? `import os\n${source}` : source),
  },
  {
    lang: 'PHP',
    label: 'PHP',
    client: ['php', 'curl', { timeout: 60 }],
    variable: (name) => `getenv("${name}")`,
    operator: '.',
  },
  {
    lang: 'Java',
    label: 'Java',
    client: ['java', 'nethttp'],
    variable: (name) => `System.getenv("${name}")`,
    operator: '+',
    complete: (source, operationId) => `import java.net.URI;
import java.net.http.*;

public class ${classNameOf(operationId)} {
    public static void main(String[] args) throws Exception {
${source.replaceAll(/^/gm, '        ')}
    }
}`,
  },
  {
    lang: 'Go',
    label: 'Go',
    client: ['go', 'native', { checkErrors: true }],
    variable: (name) => `os.Getenv("${name}")`,
    operator: '+',
    complete: (source) =>
      source.includes('os.Getenv') ? source.replace('import (\n', 'import (\n\t"os"\n') : source,
  },
  {
    lang: 'C#',
    label: 'C#',
    client: ['csharp', 'httpclient'],
    variable: (name) => `Environment.GetEnvironmentVariable("${name}")`,
    operator: '+',
  },
]

/** The address that the server replaces by its own when it serves the document. */
const BASE_URL = 'http://localhost:8080'
/** Has no port, because a sample in PHP would repeat it. */
const NO_PORT = 'http://tiwala.invalid'
const VARIABLE = /ENV_([A-Z_]+)/g

/** The environment variables of the guides, by security scheme. */
const CREDENTIALS: Readonly<Record<string, [header: string, value: string]>> = {
  secretCode: ['X-Secret-Code', 'ENV_TIWALA_SECRET_CODE'],
  secretToken: ['X-Secret-Token', 'ENV_TIWALA_SECRET_TOKEN'],
  accessToken: ['Authorization', 'Bearer ENV_ACCESS_TOKEN'],
  citizenToken: ['Authorization', 'Bearer ENV_CITIZEN_TOKEN'],
  operatorToken: ['Authorization', 'Bearer ENV_TIWALA_OPERATOR_TOKEN'],
  memberSession: ['Cookie', '__Host-tiwala-workbench=ENV_TIWALA_SESSION'],
}
/** The credentials of an operation that has no security scheme: fields of its body. */
const CREDENTIAL_FIELDS: Readonly<Record<string, string>> = {
  partner_code: 'ENV_TIWALA_PARTNER_CODE',
  partner_secret: 'ENV_TIWALA_PARTNER_SECRET',
}
/** Headers whose value is of one request, or of an earlier response: that of the example would be wrong. */
const OWN_HEADERS: Readonly<Record<string, string>> = {
  'Idempotency-Key': 'ENV_IDEMPOTENCY_KEY',
  'If-Match': 'ENV_ETAG',
  'X-Csrf-Token': 'ENV_CSRF_TOKEN',
}

/** `hasPrograms`: in all languages. Otherwise with curl alone. */
export function withCodeSamples<T>(source: T, hasPrograms: boolean): T {
  const document = structuredClone(source) as Document
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(item)) {
      const request = within(operation, () => requestOf(document, path, method, operation))
      const operationId = operation.operationId as string
      const programs = hasPrograms ? [javaScript(operationId, request)] : []
      const others = hasPrograms ? PROGRAMS.map((language) => program(language, operationId, request)) : []
      item[method] = {
        ...operation,
        'x-codeSamples': [...programs, curl(operation, request), ...others].map((sample) => ({
          ...sample,
          source: sample.source.replaceAll(NO_PORT, BASE_URL).trimEnd(),
        })),
      }
    }
  return document as T
}

/** The example of the document. An optional parameter is part of it if it has an example. */
export function requestOf(document: Document, path: string, method: string, operation: Json): Request {
  const follow = <Part extends object>(part: Part) => resolve(document, part)
  const parameters = ((operation.parameters ?? []) as Parameter[])
    .map(follow)
    .map(({ examples, ...each }) => ({
      example: follow(Object.values(examples ?? {})[0] ?? {})['value'],
      ...each,
    }))
    .filter(({ name, example }) => name !== ADDED_BY_TRACING && example !== undefined)
  for (const { example } of parameters) requireWritable(example)
  // A list in a query is repeated, elsewhere it has commas (the defaults of OpenAPI 3.1).
  const fieldsIn = (place: string) =>
    parameters
      .filter((each) => each.in === place)
      .flatMap(({ name, example, explode = place === 'query' }) =>
        (explode ? [example].flat() : [example]).map((value) => ({ name, value: String(value) })),
      )
  const filled = fieldsIn('path').reduce(
    (text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  )
  const [server] = (operation.servers ?? document.servers) as Document['servers']
  const security = (operation.security ?? document.security) as readonly Record<string, unknown>[]
  const credentials = Object.keys(security[0] ?? {}).map((scheme) => CREDENTIALS[scheme]!)
  const content = (operation.requestBody as { content: Record<string, Media> } | undefined)?.content ?? {}
  const type = TYPES.find((each) => content[each])
  const postData = type && bodyOf(type, content[type]!, credentials.length === 0, follow)
  return {
    method: method.toUpperCase(),
    url: `${server!.url.replace(/\/$/, '').replace(BASE_URL, NO_PORT)}${filled}`,
    httpVersion: 'HTTP/1.1',
    headers: [
      ...credentials.map(([name, value]) => ({ name, value })),
      ...fieldsIn('header').map(({ name, value }) => ({ name, value: OWN_HEADERS[name] ?? value })),
      ...(type ? [{ name: 'Content-Type', value: type }] : []),
    ],
    queryString: fieldsIn('query'),
    cookies: [],
    ...(postData && { postData }),
    headersSize: -1,
    bodySize: -1,
  } as Request
}

/** The media types of a body. A sample has the first one that the operation accepts. */
const TYPES = [
  'application/x-www-form-urlencoded',
  'application/json',
  'multipart/form-data',
  'application/x-ndjson',
] as const

function bodyOf(
  mimeType: (typeof TYPES)[number],
  media: Media,
  hasCredentials: boolean,
  follow: (part: Json) => Json,
): PostData {
  const [[name, first] = []] = Object.entries(media.examples ?? {})
  // A body of lines is a file, named after its example.
  if (mimeType === 'application/x-ndjson') return { mimeType, text: `@${name}.ndjson` }
  const example = media.example ?? follow(first!)['value']
  if (!isObject(example)) throw new Error('The example of the body is no object. Samples send its fields.')
  requireWritable(example)
  const fields = Object.entries(example).map(
    ([field, value]) => [field, (hasCredentials ? CREDENTIAL_FIELDS[field] : undefined) ?? value] as const,
  )
  return mimeType === 'application/json'
    ? { mimeType, text: JSON.stringify(Object.fromEntries(fields)) }
    : { mimeType, params: fields.map(([field, value]) => ({ name: field, value: String(value) })) }
}

/** HTTPSnippet does not escape these characters in every language. A shell would execute a part of the text. */
const NOT_ESCAPED = /['\\$\p{Cc}]/u

function requireWritable(example: unknown): void {
  if (typeof example === 'object' && example !== null) Object.values(example).forEach(requireWritable)
  else if (NOT_ESCAPED.test(String(example)))
    throw new Error(
      `The example ${JSON.stringify(example)} has a character that samples cannot have in every language: ` +
        "write it without ', \\, $ and control characters.",
    )
}

const write = (request: Request, [target, client, options]: Language['client']): string =>
  String(new HTTPSnippet(request).convert(target, client, options)[0])

function program(
  { lang, label, client, variable, operator, complete = (source) => source }: Language,
  operationId: string,
  request: Request,
) {
  const source = write(request, client)
    // PHP reads variables in double quotes only.
    .replaceAll(/'(ENV_[A-Z_]+)'/g, '"$1"')
    .replaceAll(VARIABLE, (_, name: string) => `" ${operator} ${variable(name)} ${operator} "`)
    .replaceAll(`"" ${operator} `, '')
    .replaceAll(` ${operator} ""`, '')
  return { lang, label, source: complete(source, operationId) }
}

/** The shell reads variables in double quotes only. The response of a stream shows while it arrives. */
function curl({ responses }: Json, request: Request) {
  const isFile = JSON.stringify(request).includes('"@')
  const source = write(request, ['shell', 'curl', { binary: isFile }])
    .replaceAll(/'([^']*ENV_[^']*)'/g, (_, text: string) => `"${text.replaceAll(/["$`\\]/g, '\\$&')}"`)
    .replaceAll(VARIABLE, (_, name: string) => `$${name}`)
  const isStream = JSON.stringify((responses as Json)['200'] ?? '').includes('"text/event-stream"')
  return {
    lang: 'Shell',
    label: 'curl',
    source: isStream ? source.replace('curl', 'curl --no-buffer') : source,
  }
}

const CLIENTS = {
  'partner-client.ts': `import { createPartnerClient } from '@tiwala/client'

const tiwala = createPartnerClient({
  baseUrl: '${BASE_URL}',
  secretCode: process.env.TIWALA_SECRET_CODE,
  secretToken: process.env.TIWALA_SECRET_TOKEN,
})`,
  'sso-client.ts': `import { createSsoClient } from '@tiwala/client'

const tiwala = createSsoClient({
  authUrl: '${BASE_URL}',
  partnerCode: process.env.TIWALA_PARTNER_CODE,
  partnerSecret: process.env.TIWALA_PARTNER_SECRET,
})`,
}

/** The calls of our own client: the comments of its methods name their operation and an example. */
const CALLS = new Map(
  Object.entries(CLIENTS).flatMap(([file, start]) =>
    [
      ...readFileSync(join(import.meta.dirname, '../../../client/src', file), 'utf8').matchAll(
        /@operation (\w+)\s+\*\s+@example (.+)/g,
      ),
    ].map(([, id, call]) => [id!, `${start}\nconsole.log(${call})`] as const),
  ),
)

/** Our own client, or `fetch` for an operation without a method of the client. */
function javaScript(operationId: string, request: Request) {
  const call = CALLS.get(operationId)
  if (call) return { lang: 'JavaScript', label: '@tiwala/client', source: call }
  const source = write(request, ['javascript', 'fetch']).replaceAll(
    /'([^']*)ENV_([A-Z_]+)'/g,
    (_, text: string, name: string) => `\`${text}\${process.env.${name}}\``,
  )
  return { lang: 'JavaScript', label: 'fetch', source }
}
