// An act as programs that run unchanged: as curl, and as code over the client. An act whose input works only
// once, such as a QR value, begins with the step that makes a new one.
import { routes } from '@tiwala/contract'
import { partnerRoutes } from '@tiwala/contract/partner'
import type { PrivateBootstrap, BootstrapCitizen } from '@tiwala/server/sandbox-bootstrap'
import { citizenUrl } from './clients.ts'
import type { Exchange } from './exchanges.ts'
import { operationOf, type PartnerOperation } from './operation-of.ts'

/** A text in single quotes of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** What makes a new single-use value: the name of the field, the path and the body. */
type Fresh = { field: string; path: string; body: object }

function freshInput(
  operation: PartnerOperation | undefined,
  { partner }: PrivateBootstrap,
): Fresh | undefined {
  const issue = (purpose: string) => ({
    field: 'qr_value',
    path: routes['citizen-app'].issueQrCode.path,
    body: { purpose },
  })
  if (operation === 'requestAuthorization') return issue('inquire')
  if (operation === 'profileByQr') return issue('share')
  if (operation === 'generateToken' || operation === 'authenticate')
    return {
      field: 'exchange_code',
      path: routes['citizen-app'].issueExchangeCode.path,
      body: { partner_code: partner.partner_code },
    }
  return undefined
}

/** A refused request is repeated as it was: with a new value it would succeed. */
const isRefused = ({ response }: Exchange) => (response?.status ?? 0) >= 400

export function toCurl(exchange: Exchange, sandbox: PrivateBootstrap, citizen: BootstrapCitizen): string {
  const operation = operationOf(exchange)
  const fresh = isRefused(exchange) ? undefined : freshInput(operation, sandbox)
  if (!fresh) return curlOf(exchange)
  const { origin } = new URL(exchange.url)
  const read = (field: string) => `sed -n 's/.*"${field}":"\\([^"]*\\)".*/\\1/p'`
  const phone =
    `# The citizen's phone makes a new value (in production: the citizen app)\n` +
    `VALUE=$(curl -s -H ${quoted(`Authorization: Bearer ${citizen.token}`)} ` +
    `-H 'Content-Type: application/json' \\\n  -d ${quoted(JSON.stringify(fresh.body))} ` +
    `${quoted(citizenUrl() + fresh.path)} | ${read(fresh.field)})\n\n# Your server\n`
  if (operation === 'authenticate') return phone + signIn(origin, sandbox, read('access_token'))
  const { profileByQr } = partnerRoutes
  if (operation === 'profileByQr')
    return `${phone}curl -i ${headersOf(exchange)}"${origin}${profileByQr.path}?qr_value=$VALUE"`
  return phone + curlOf(exchange, fresh.field)
}

function signIn(origin: string, { partner }: PrivateBootstrap, readToken: string): string {
  return (
    `TOKEN=$(curl -s -F ${quoted(`partner_code=${partner.partner_code}`)} ` +
    `-F ${quoted(`partner_secret=${partner.partner_secret}`)} \\\n` +
    `  -F scope=SSO_AUTHENTICATION -F "exchange_code=$VALUE" ` +
    `${quoted(origin + partnerRoutes.generateToken.path)} | ${readToken})\n` +
    `curl -i -X POST -H "Authorization: Bearer $TOKEN" ${quoted(origin + partnerRoutes.authenticate.path)}`
  )
}

const headersOf = ({ request }: Exchange) =>
  request.headers
    .filter(([name, value]) => name !== 'content-type' || !value.startsWith('multipart/'))
    .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)} \\\n  `)
    .join('')

/** `fresh`: the field whose value the shell variable VALUE has. */
function curlOf(exchange: Exchange, fresh?: string): string {
  const { method, url, request } = exchange
  const form = request.form?.map(([name, value]) =>
    name === fresh ? `-F "${name}=$VALUE"` : `-F ${quoted(`${name}=${value}`)}`,
  )
  const body = form?.join(' \\\n  ') ?? (request.body ? `--data-raw ${quoted(request.body)}` : '')
  return `curl -i -X ${method} ${headersOf(exchange)}${body ? `${body} \\\n  ` : ''}${quoted(url)}`
}

export function toCode(exchange: Exchange, sandbox: PrivateBootstrap, citizen: BootstrapCitizen): string {
  const operation = operationOf(exchange)
  if (!operation || isRefused(exchange))
    return `// Save as act.mjs, and run: node act.mjs\n${fetchOf(exchange)}`
  const { origin } = new URL(exchange.url)
  const fresh = freshInput(operation, sandbox)
  const isSso = operation === 'generateToken' || operation === 'authenticate'
  const { secret_code, secret_token, partner_code, partner_secret } = sandbox.partner
  const options = isSso
    ? { authUrl: origin, partnerCode: partner_code, partnerSecret: partner_secret }
    : { baseUrl: origin, secretCode: secret_code, secretToken: secret_token }
  const create = isSso ? 'createSsoClient' : 'createPartnerClient'
  return [
    `// In an empty folder: npm install ${origin}/downloads/tiwala-client.tgz`,
    '// Save as act.mjs, and run: node act.mjs',
    `import { ${create} } from '@tiwala/client'\n`,
    ...(fresh ? [phoneStep(citizen, fresh)] : []),
    `const tiwala = ${create}(${literal(options)})`,
    `console.log(await tiwala.${callOf(operation, exchange)})`,
  ].join('\n')
}

function callOf(operation: PartnerOperation, { url }: Exchange): string {
  const { pathname, searchParams } = new URL(url)
  const last = literal(decodeURIComponent(pathname.split('/').at(-1)!))
  const calls: Record<PartnerOperation, string> = {
    requestAuthorization: 'requestAuthorization(qr_value)',
    inquire: `inquire(${literal(searchParams.get('tracking_no') ?? '')})`,
    profileByQr: 'profileByQr(qr_value)',
    cancelAuthorization: `cancelAuthorization(${last})`,
    readPartnerSelf: 'whoAmI()',
    readDiagnosis: `diagnose(${last})`,
    generateToken: 'generateToken(exchange_code)',
    authenticate: 'signIn(exchange_code)',
  }
  return calls[operation]
}

const phoneStep = (citizen: BootstrapCitizen, { field, path, body }: Fresh) =>
  `// The citizen's phone. In production you scan or receive the value: do not call this API yourself.
const phone = await fetch(${literal(citizenUrl() + path)}, {
  method: 'POST',
  headers: { Authorization: ${literal(`Bearer ${citizen.token}`)}, 'Content-Type': 'application/json' },
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
