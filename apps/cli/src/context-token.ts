// The token of a context, and how it is refreshed.
import type { Configuration, TokenEndpointResponse } from 'openid-client'
import { api } from '#api'
import { type Context, lockContexts, readContext, storeTokens, type Tokens } from './contexts.ts'
import { adviceOnCertificate, causeOf } from './format-error.ts'
import type { Io } from './io.ts'
import { isLoopback } from './loopback.ts'
import { UnavailableError } from './unavailable-error.ts'
import { UsageError } from './usage-error.ts'

/** A token that ends within this time is refreshed before it is used. */
const MARGIN_MS = 10_000

/** The token of the context, refreshed if it has ended, and how to refresh it again. */
export function tokenOfContext(io: Io, { name, ...context }: Context & { name: string }) {
  let { tokens } = context
  /**
   * With the lock, because a provider that rotates the refresh token ends the session if it is used twice. The process
   * that waited uses what the first one has stored.
   */
  const refreshLocked = async (): Promise<string> => {
    // Another process may have renewed the sign-in meanwhile, removed it, or changed its address.
    const stored = readContext(io, name)
    if (!stored?.tokens || stored.url !== context.url) throw signInAgain(name)
    const isNewer = stored.tokens.access_token !== tokens?.access_token
    tokens = stored.tokens
    if (isNewer && !hasEnded(tokens)) return tokens.access_token
    const refreshToken = tokens.refresh_token
    if (!refreshToken) throw signInAgain(name)
    const client = await import('openid-client')
    const response = await client
      .refreshTokenGrant(await discover(stored), refreshToken)
      .catch((error: { error?: unknown }) => {
        if (error.error === 'invalid_grant') throw signInAgain(name)
        return refuse(`The sign-in of the context "${name}" could not be renewed`)(error)
      })
    // A provider that does not rotate the refresh token leaves it out.
    tokens = { refresh_token: refreshToken, ...toTokens(response) }
    storeTokens(io, name, tokens)
    return tokens.access_token
  }
  const refresh = () => lockContexts(io, refreshLocked)
  const read = async () => (tokens && !hasEnded(tokens) ? tokens.access_token : refresh())
  return { read, refresh }
}

const hasEnded = ({ expires_at = Infinity }: Tokens): boolean => expires_at - MARGIN_MS < Date.now()

const signInAgain = (name: string) =>
  new UsageError(
    `The sign-in of the context "${name}" has ended. Sign in again: ${api.program} login --context ${name}`,
  )

export const toTokens = ({ access_token, refresh_token, expires_in }: TokenEndpointResponse): Tokens => ({
  access_token,
  ...(refresh_token && { refresh_token }),
  ...(expires_in !== undefined && { expires_at: Date.now() + expires_in * 1_000 }),
})

export async function discover({ issuer, client_id }: Context): Promise<Configuration> {
  // `URL.parse` is not in Node 20, on which partners run it.
  const { protocol, hostname } = URL.canParse(issuer) ? new URL(issuer) : {}
  const isPlain = protocol === 'http:' && isLoopback(hostname!)
  if (protocol !== 'https:' && !isPlain)
    throw new UsageError(
      `--issuer: "${issuer}" is not an https URL. Give the ${api.issuerSetting} of the service.`,
    )
  const client = await import('openid-client')
  return client
    .discovery(new URL(issuer), client_id, undefined, client.None(), {
      execute: isPlain ? [client.allowInsecureRequests] : [],
    })
    .catch(refuse(`The identity provider ${issuer} cannot be used`))
}

/** Codes of a failure of the provider itself (RFC 6749, section 4.1.2.1). */
const TEMPORARY = new Set<unknown>(['server_error', 'temporarily_unavailable'])

/** Of an error of the provider only its code (RFC 6749, section 5.2). */
export const refuse =
  (what: string) =>
  (error: unknown): never => {
    const { error: code, message } = error as Error & { error?: unknown }
    if (typeof code === 'string' && /^\w{1,60}$/.test(code))
      throw new (TEMPORARY.has(code) ? UnavailableError : UsageError)(`${what}: ${code}.`)
    const reason = message + causeOf(error as Error)
    throw new UnavailableError(`${what}: ${reason}. ${adviceOnCertificate(error as Error)}`.trimEnd())
  }
