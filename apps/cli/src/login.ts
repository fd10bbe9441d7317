// `login`: a person signs in with a browser, on this or another device (device flow, RFC 8628), by
// openid-client. Later commands refresh the token.
import { api } from '#api'
import { type ConnectOptions, apiUrlOf, readIssuer, readSandboxToken } from './connect.ts'
import { discover, refuse, toTokens } from './context-token.ts'
import { type Context, findContext, readContext, requireStorable, storeContext } from './contexts.ts'
import { DEFAULT_URL } from './document.ts'
import type { ErrorContext } from './format-error.ts'
import { type Io, printMessage } from './io.ts'
import { UsageError } from './usage-error.ts'

const DEFAULT_CLIENT_ID = 'tiwala-cli'
const DEFAULT_NAME = 'default'
export type LoginOptions = ConnectOptions & {
  context?: string
  issuer?: string
  clientId?: string
  scope?: string[]
}

export async function login(io: Io, options: LoginOptions, errorContext: ErrorContext): Promise<void> {
  // Without a name, an issuer begins a context of its own, and nothing renews the current one.
  const named = options.context ?? (io.env['TIWALA_CONTEXT'] || undefined)
  const name = named ?? (options.issuer === undefined ? findContext(io)?.name : undefined) ?? DEFAULT_NAME
  requireStorable(io, name)
  const stored = readContext(io, name)
  const url = apiUrlOf(io, {
    url: options.url ?? stored?.url ?? (io.env[`${api.envPrefix}URL`] || DEFAULT_URL),
  })
  // Another service has another identity provider: the token of the first one is not for it.
  const before = stored?.url === url ? stored : undefined
  errorContext.url = url
  const known = options.issuer ?? before?.issuer
  const issuer = known || (api.namesIssuer ? await readIssuer(url) : undefined)
  const partner = options.partner ?? before?.partner
  const context: Context = {
    url,
    issuer: issuer ?? '',
    client_id: options.clientId ?? before?.client_id ?? DEFAULT_CLIENT_ID,
    scope: options.scope?.join(' ') ?? before?.scope ?? api.scopes.join(' '),
    ...(partner !== undefined && { partner }),
  }
  if (!issuer) {
    if (!api.namesIssuer || !(await readSandboxToken(url)))
      throw new UsageError(
        `--issuer: give the issuer of the ${api.person}s, the ${api.issuerSetting} of the service.`,
      )
    await storeContext(io, name, context)
    return printMessage(io, `The sandbox at ${new URL(url).origin} needs no sign-in. It is used from now on.`)
  }
  const client = await import('openid-client')
  const configuration = await discover(context)
  const device = await client
    .initiateDeviceAuthorization(configuration, { scope: context.scope })
    .catch(refuse('The identity provider did not begin a device flow'))
  printMessage(io, `Open ${device.verification_uri_complete ?? device.verification_uri} and sign in.`)
  printMessage(io, `Compare the code: ${device.user_code}`)
  const response = await client
    .pollDeviceAuthorizationGrant(configuration, device)
    .catch(refuse('The identity provider did not sign you in'))
  await storeContext(io, name, { ...context, tokens: toTokens(response) })
  printMessage(
    io,
    `Signed in. The context "${name}" is used from now on; "${api.program} whoami" shows what it may do.`,
  )
  const missing = findMissingScopes(context.scope, response.scope)
  if (missing.length > 0)
    printMessage(
      io,
      `The identity provider did not grant ${missing.join(' ')}. If you need them, ask the team that runs it.`,
    )
}

/** A provider that grants other scopes than it was asked for names them (RFC 6749, section 5.1). */
function findMissingScopes(requested: string, granted: string | undefined): string[] {
  if (granted === undefined) return []
  const names = new Set([...granted.split(' '), 'openid', 'offline_access'])
  return requested.split(' ').filter((scope) => !names.has(scope))
}
