import { type OperatorOperations, routes } from '@tiwala/contract'
import { createTransport, type Transport } from '@tiwala/transport'
import { BASE_PATH, DEFAULT_URL } from './document.ts'
import { type Io, readSource, printMessage } from './io.ts'
import { UsageError } from './usage-error.ts'

export type OperatorTransport = Transport<OperatorOperations>
export type ConnectOptions = { url?: string; tokenFile?: string }

/** A part of an import is long in coming up and being written. */
const TIMEOUT_MS = 60_000

export function operatorUrlOf(io: Io, { url }: ConnectOptions): string {
  const given = url ?? (io.env['TIWALA_OPERATOR_URL'] || DEFAULT_URL)
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw new UsageError(`"${given}" is no address. Give one like ${DEFAULT_URL}, in TIWALA_OPERATOR_URL or by --url.`)
  return given.replace(/\/+$/, '')
}

/** Where partners reach the service. Without a setting it is taken to share the address of the operator API, as in the sandbox. */
export function publicUrlOf({ env }: Io, operatorUrl: string): string {
  const publicUrl = env['TIWALA_PUBLIC_URL']
  if (publicUrl) return publicUrl.replace(/\/+$/, '')
  return operatorUrl.endsWith(BASE_PATH) ? operatorUrl.slice(0, -BASE_PATH.length) : new URL(operatorUrl).origin
}

export async function connect(io: Io, operatorUrl: string, { tokenFile }: ConnectOptions): Promise<OperatorTransport> {
  const { protocol, hostname } = new URL(operatorUrl)
  if (protocol === 'http:' && !isLoopback(hostname))
    printMessage(io, `Caution: ${hostname} is reached without TLS; whoever is on the way can read the token. Use https.`)
  const token = (tokenFile ? await readSource(io, tokenFile) : (io.env['TIWALA_OPERATOR_TOKEN'] ?? '')).trim()
  // A token is one word (RFC 6750, section 2.1); anything else would break the header.
  if (/[^\w.~+/=-]/.test(token)) throw new UsageError('What was given is no token: a token holds no spaces and no line breaks.')
  const headers = { Authorization: `Bearer ${token || (await fetchSandboxToken(io, operatorUrl, hostname))}` }
  return createTransport<OperatorOperations>(routes.operator, { baseUrl: operatorUrl, headers, timeoutMs: TIMEOUT_MS })
}

/** The sandbox beside us gives its administrator's token to everybody. */
async function fetchSandboxToken(io: Io, operatorUrl: string, hostname: string): Promise<string> {
  const sandbox = new URL('/sandbox/bootstrap.json', operatorUrl)
  const bootstrap = isLoopback(hostname) ? await readBootstrap(sandbox) : undefined
  if (!bootstrap?.operator_token)
    throw new UsageError(
      "No token was given. Put the administrators' identity provider's token into TIWALA_OPERATOR_TOKEN, or into a file for --token-file.",
    )
  printMessage(io, `With the sandbox's own administrator token, from ${sandbox.href}`)
  return bootstrap.operator_token
}

async function readBootstrap(address: URL): Promise<{ operator_token?: string } | undefined> {
  const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return response.ok && isJson ? ((await response.json()) as { operator_token?: string }) : undefined
}

const isLoopback = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
