// An act as programs that run unchanged: as curl, and as code over the client. If a value works only once, such
// as a QR value, the program begins with the step that makes a new one.
import { routes } from '@tiwala/contract'
import type { BootstrapCitizen } from '@tiwala/server/sandbox-bootstrap'
import { createStore } from '../state/create-store.ts'
import type { Saved } from '../state/sandbox.ts'
import { citizenUrl } from './clients.ts'
import type { Exchange } from './exchanges.ts'
import { operationOf } from './operation-of.ts'

type Fields = Record<string, unknown>
type Sandbox = Saved['sandbox']
type Operation = {
  operationId: string
  parameters?: { $ref?: string; name: string; example?: unknown }[]
  requestBody?: { content: Record<string, { example?: Fields }> }
  'x-codeSamples': { lang: string; source: string }[]
}
/** What the sample of an operation is made from. */
type Sample = { path: string; source: string; example: Fields }

/** The samples of our client, by operation. They come with the document of the server. */
export const clientSamples = createStore<Record<string, Sample>>({})

export async function loadClientSamples(): Promise<void> {
  if (Object.keys(clientSamples.get()).length) return
  const { paths, components } = (await (await fetch('/openapi/partner.json')).json()) as {
    paths: Record<string, Record<string, Operation>>
    components: { parameters: Record<string, { name: string; example?: unknown }> }
  }
  const samples: Record<string, Sample> = {}
  for (const [path, item] of Object.entries(paths))
    for (const { operationId, parameters = [], requestBody, 'x-codeSamples': all } of Object.values(item)) {
      const example = { ...requestBody?.content['application/json']?.example }
      for (const parameter of parameters) {
        const { name, example: value } =
          components.parameters[parameter.$ref?.split('/').at(-1) ?? ''] ?? parameter
        if (value !== undefined) example[name] = value
      }
      samples[operationId] = { path, example, source: all.find(({ lang }) => lang === 'JavaScript')!.source }
    }
  clientSamples.set(samples)
}

/** A text in single quotes of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The requests that make a new single-use value, by the name of the field. */
const FRESH: Record<string, (sandbox: Sandbox) => { path: string; body: object }> = {
  qr_value: () => ({ path: routes['citizen-app'].issueQrCode.path, body: { purpose: 'share' } }),
  exchange_code: ({ partner: { partner_code } }) => ({
    path: routes['citizen-app'].issueExchangeCode.path,
    body: { partner_code },
  }),
}

/** The single-use field of a request. A refused request is repeated as it was: a new value would succeed. */
function freshField(exchange: Exchange): string | undefined {
  const isRefused = (exchange.response?.status ?? 0) >= 400
  return isRefused ? undefined : Object.keys(valuesOf(exchange)).find((name) => name in FRESH)
}

/** The requests of the partner have a form or no body. */
const valuesOf = ({ url, request: { form = [] } }: Exchange): Fields =>
  Object.fromEntries([...new URL(url).searchParams, ...form])

export function toCurl(exchange: Exchange, sandbox: Sandbox, citizen: BootstrapCitizen): string {
  const field = freshField(exchange)
  if (!field) return curlOf(exchange)
  const { path, body } = FRESH[field]!(sandbox)
  return (
    `# The citizen's phone makes a new value (in production: the citizen app)\n` +
    `VALUE=$(curl -s -H ${quoted(`Authorization: Bearer ${citizen.token}`)} ` +
    `-H 'Content-Type: application/json' \\\n  -d ${quoted(JSON.stringify(body))} ` +
    `${quoted(citizenUrl() + path)} | sed -n 's/.*"${field}":"\\([^"]*\\)".*/\\1/p')\n\n` +
    `# Your server\n${curlOf(exchange, String(valuesOf(exchange)[field]))}`
  )
}

/** `single`: the value that the shell variable VALUE replaces. */
function curlOf({ method, url, request }: Exchange, single?: string): string {
  const written = (text: string) =>
    single && text.includes(single) ? `"${text.replace(single, '$VALUE')}"` : quoted(text)
  const headers = request.headers
    .filter(([name, value]) => name !== 'content-type' || !value.startsWith('multipart/'))
    .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  const form = request.form?.map(([name, value]) => `-F ${written(`${name}=${value}`)}`)
  const body = form ?? (request.body ? [`--data-raw ${quoted(request.body)}`] : [])
  return [`curl -i -X ${method}`, ...headers, ...body, written(url)].join(' \\\n  ')
}

export function toCode(exchange: Exchange, sandbox: Sandbox, citizen: BootstrapCitizen): string {
  const sample = clientSamples.get()[operationOf(exchange) ?? '']
  const isRefused = (exchange.response?.status ?? 0) >= 400
  if (!sample || isRefused) return `// Save as act.mjs, and run: node act.mjs\n${fetchOf(exchange)}`
  const field = freshField(exchange)
  const { origin } = new URL(exchange.url)
  return [
    `// In an empty folder: npm install ${origin}/downloads/tiwala-client.tgz`,
    '// Save as act.mjs, and run: node act.mjs',
    ...(field ? [phoneStep(citizen, field, FRESH[field]!(sandbox))] : []),
    withValues(sample, exchange, sandbox, field),
  ].join('\n')
}

/** The sample with the values of the request instead of those of the example. */
function withValues({ path, source, example }: Sample, exchange: Exchange, sandbox: Sandbox, fresh?: string) {
  const segments = new URL(exchange.url).pathname.split('/')
  const inPath = path.split('/').map((segment, index) => [segment.slice(1, -1), segments[index]])
  const values: Fields = { ...valuesOf(exchange), ...Object.fromEntries(inPath) }
  const [, token] = exchange.request.headers.find(([name]) => name === 'authorization') ?? []
  const secrets: Fields = { ...sandbox.partner, access_token: token?.replace('Bearer ', '') }
  return Object.entries(example)
    .reduce(
      (text, [name, value]) =>
        text.replaceAll(`'${String(value)}'`, name === fresh ? name : literal(values[name] ?? value)),
      source,
    )
    .replaceAll(/process\.env\.(?:TIWALA_)?(\w+)/g, (_, name: string) => literal(secrets[name.toLowerCase()]))
}

const phoneStep = (
  { token }: BootstrapCitizen,
  field: string,
  { path, body }: { path: string; body: object },
) =>
  `// The citizen's phone. In production you scan or receive the value: do not call this API yourself.
const phone = await fetch(${literal(citizenUrl() + path)}, {
  method: 'POST',
  headers: { Authorization: ${literal(`Bearer ${token}`)}, 'Content-Type': 'application/json' },
  body: JSON.stringify(${literal(body)}),
})
const { ${field} } = await phone.json()

// Your server`

function fetchOf({ method, url, request }: Exchange): string {
  const { form, body } = request
  // The type of a form has a boundary, which `fetch` sets.
  const headers = request.headers.filter(([name]) => !form || name !== 'content-type')
  const init = { method, headers: Object.fromEntries(headers), ...(body && { body }) }
  return [
    ...(form ? ['const body = new FormData()'] : []),
    ...(form ?? []).map(([name, value]) => `body.append(${literal(name)}, ${literal(value)})`),
    `const init = ${literal(init)}`,
    `const response = await fetch(${literal(url)}, ${form ? '{ ...init, body }' : 'init'})`,
    'console.log(response.status, await response.text())',
  ].join('\n')
}

const literal = (value: unknown) => JSON.stringify(value, null, typeof value === 'object' ? 2 : 0)
