import { type OperatorOperations, routes } from '@tiwala/contract'
import { createTransport, TiwalaError, type Transport } from '@tiwala/transport'
import { findContext } from './contexts.ts'
import { BASE_PATH, DEFAULT_URL } from './document.ts'
import { type Io, printMessage } from './io.ts'
import { isLoopback } from './loopback.ts'
import { openTokenSource, type TokenOptions } from './token.ts'
import { UsageError } from './usage-error.ts'

export type OperatorTransport = Transport<OperatorOperations>
export type ConnectOptions = { url?: string; context?: string } & TokenOptions

/** Long enough to upload and write one batch of an import. */
const TIMEOUT_MS = 60_000

/** The address of the operator API. A given address of the service alone is completed. */
export function operatorUrlOf(io: Io, { url, context }: ConnectOptions): string {
  // A named context wins over the environment, the current one does not.
  const named = context === undefined ? undefined : findContext(io, context)?.url
  const operatorUrl = url ?? named ?? (io.env['TIWALA_OPERATOR_URL'] || findContext(io)?.url || DEFAULT_URL)
  if (!URL.canParse(operatorUrl) || !/^https?:$/.test(new URL(operatorUrl).protocol))
    throw new UsageError(
      `"${operatorUrl}" is not an HTTP URL. Give one like ${DEFAULT_URL} ` +
        'in TIWALA_OPERATOR_URL or with --url.',
    )
  // The address of a service has no path.
  const { origin, pathname } = new URL(operatorUrl)
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
  const source = await openTokenSource(io, operatorUrl, options)
  let token = source.token ?? (await fetchSandboxToken(io, operatorUrl, hostname))
  const send = createTransport<OperatorOperations>(routes.operator, {
    baseUrl: operatorUrl,
    timeoutMs: TIMEOUT_MS,
  })
  const call: OperatorTransport = async (id, input) => {
    const headers = { ...input.headers, Authorization: `Bearer ${token}` }
    try {
      return await send(id, { ...input, headers })
    } catch (error) {
      // A command can take longer than its token is valid.
      const isRefused = error instanceof TiwalaError && error.status === 401
      const newer = isRefused ? await source.read?.() : undefined
      if (newer === undefined || newer === token) throw error
      token = newer
      return send(id, { ...input, headers: { ...headers, Authorization: `Bearer ${token}` } })
    }
  }
  return { call, token: () => token }
}

/** A sandbox on this machine gives its administrator token to every client. */
async function fetchSandboxToken(io: Io, operatorUrl: string, hostname: string): Promise<string> {
  const bootstrapUrl = new URL('/sandbox/bootstrap.json', operatorUrl)
  const bootstrap = isLoopback(hostname) ? await fetchBootstrap(bootstrapUrl) : undefined
  if (!bootstrap?.operator_token)
    throw new UsageError(
      'No token was given. ' +
        "Put a token from the administrators' identity provider into TIWALA_OPERATOR_TOKEN, " +
        'or into a file for --token-file, or give a command that prints one with --token-command.',
    )
  printMessage(io, `Using the sandbox's own administrator token, from ${bootstrapUrl.href}`)
  return bootstrap.operator_token
}

async function fetchBootstrap(url: URL): Promise<{ operator_token?: string } | undefined> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return response.ok && isJson ? ((await response.json()) as { operator_token?: string }) : undefined
}
