import type { OperatorOperations } from '@tiwala/contract'
import { createTransport, TiwalaError, type Transport } from '@tiwala/transport'
import { api } from '#api'
import { findContext } from './contexts.ts'
import { BASE_PATH, DEFAULT_URL } from './document.ts'
import { type Io, printMessage } from './io.ts'
import { isLoopback } from './loopback.ts'
import { openTokenSource, type TokenOptions } from './token.ts'
import { UnavailableError } from './unavailable-error.ts'
import { UsageError } from './usage-error.ts'

export type OperatorTransport = Transport<OperatorOperations>
export type ConnectOptions = { url?: string; context?: string; partner?: string } & TokenOptions

/** Long enough to upload and write one batch of an import. */
const TIMEOUT_MS = 60_000

/** `localhost:9090` is `http://localhost:9090`, and `tiwala.example` is `https://tiwala.example`. */
function withScheme(address: string): string {
  if (address.includes('://') || !/^[\w[]/.test(address)) return address
  const url = `https://${address}`
  return URL.canParse(url) && isLoopback(new URL(url).hostname) ? `http://${address}` : url
}

/** The address of the operator API. A given address of the service alone is completed. */
export function apiUrlOf(io: Io, { url, context }: ConnectOptions): string {
  // A named context wins over the environment, the current one does not.
  const named = context === undefined ? undefined : findContext(io, context)?.url
  const given = url ?? named ?? (io.env[`${api.envPrefix}URL`] || findContext(io)?.url || DEFAULT_URL)
  const operatorUrl = withScheme(given)
  // The parser of URLs would ignore white space here, but not before the path of a request.
  const parsed = URL.canParse(operatorUrl) && !/[\s?#]/.test(operatorUrl) ? new URL(operatorUrl) : undefined
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.password)
    // Without the value, which may have a password.
    throw new UsageError(
      'The address is not an HTTP URL, or has a user name, a query or a fragment. ' +
        `Give one like ${DEFAULT_URL} in ${api.envPrefix}URL or with --url.`,
    )
  // The address of a service has no path.
  const { origin, pathname } = parsed
  return pathname === '/' ? origin + BASE_PATH : operatorUrl.replace(/\/+$/, '')
}

export const connect = async (
  io: Io,
  operatorUrl: string,
  options: ConnectOptions,
): Promise<OperatorTransport> => (await openConnection(io, operatorUrl, options)).call

/** `token`: the one that the last request had. */
export async function openConnection(
  io: Io,
  operatorUrl: string,
  options: ConnectOptions,
): Promise<{ call: OperatorTransport; token: () => string }> {
  const { protocol, hostname } = new URL(operatorUrl)
  if (protocol === 'http:' && !isLoopback(hostname))
    printMessage(
      io,
      `Warning: the connection to ${hostname} has no TLS, so others can read the token. Use https.`,
    )
  const context = findContext(io, options.context)
  const chosen = context?.url === operatorUrl ? context.partner : undefined
  const partner = options.partner ?? (io.env['TIWALA_PARTNER'] || chosen)
  const source = await openTokenSource(io, operatorUrl, options)
  let token = source.token ?? (await fetchSandboxToken(io, operatorUrl))
  const send = createTransport<OperatorOperations>(api.routes as never, {
    baseUrl: operatorUrl,
    timeoutMs: TIMEOUT_MS,
  })
  const call: OperatorTransport = async (id, input) => {
    const headers = {
      ...input.headers,
      Authorization: `Bearer ${token}`,
      ...(partner !== undefined && { 'X-Partner-Code': partner }),
    }
    try {
      return await send(id, { ...input, headers })
    } catch (error) {
      // A command can take longer than its token is valid.
      const isRefused = error instanceof TiwalaError && error.status === 401
      const newer = isRefused ? await source.read?.().catch(asUnavailable) : undefined
      if (newer === undefined || newer === token) throw error
      token = newer
      return send(id, { ...input, headers: { ...headers, Authorization: `Bearer ${token}` } })
    }
  }
  return { call, token: () => token }
}

/** A command whose sign-in ends before its work is done was used well, and may have done a part. */
function asUnavailable(error: unknown): never {
  throw error instanceof UsageError ? new UnavailableError(error.message) : error
}

/** A sandbox on this machine gives its token to every client. */
async function fetchSandboxToken(io: Io, operatorUrl: string): Promise<string> {
  const token = await readSandboxToken(operatorUrl)
  if (!token)
    throw new UsageError(
      `No token was given. Put a token from the ${api.person}s' identity provider into ${api.envPrefix}TOKEN, ` +
        'or into a file for --token-file, or give a command that prints one with --token-command.' +
        (api.namesIssuer ? ` Or sign in: ${api.program} login` : ''),
    )
  printMessage(io, `Using the sandbox's own ${api.person} token, from ${bootstrapOf(operatorUrl).href}`)
  return token
}

const bootstrapOf = (operatorUrl: string) => new URL('/sandbox/bootstrap.json', operatorUrl)

export async function readSandboxToken(operatorUrl: string): Promise<string | undefined> {
  if (!isLoopback(new URL(operatorUrl).hostname)) return undefined
  return (await fetchJson<Record<string, string>>(bootstrapOf(operatorUrl)))?.[api.sandboxToken]
}

/** The issuer that the service names (RFC 9728). */
export async function readIssuer(operatorUrl: string): Promise<string | undefined> {
  const { origin, pathname } = new URL(operatorUrl)
  const url = new URL(`/.well-known/oauth-protected-resource${pathname}`, origin)
  return (await fetchJson<{ authorization_servers: string[] }>(url))?.authorization_servers[0]
}

async function fetchJson<Body>(url: URL): Promise<Body | undefined> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return response.ok && isJson ? ((await response.json()) as Body) : undefined
}
