import { TiwalaError } from '@tiwala/transport'
import type { Options } from './command-context.ts'
import type { OperatorTransport } from './connect.ts'
import { formatFields } from './format-output.ts'
import { type Io, print } from './io.ts'
import { printValue } from './print-value.ts'
import { UsageError } from './usage-error.ts'

type Scopes = string | string[]
type Claims = { sub?: string; iss?: string; exp?: number; scope?: Scopes; scp?: Scopes }

/**
 * Shows who the token is for and what it allows, after the service has accepted it. The token is read here, since
 * only the service can check it.
 */
export async function whoami(
  io: Io,
  operatorUrl: string,
  { output }: Pick<Options, 'output'>,
  { token, call }: { token: () => string; call: OperatorTransport },
): Promise<void> {
  await requireAccepted(call)
  const { sub, iss, exp, scope, scp } = readClaims(token())
  // As the service reads them.
  const scopes = [scope, scp]
    .flat()
    .flatMap((entry: unknown) => (typeof entry === 'string' ? entry.split(' ') : []))
  const shown = {
    operator_url: operatorUrl,
    subject: sub ?? null,
    issuer: iss ?? null,
    scopes: [...new Set(scopes.filter(Boolean))].toSorted(),
    expires_at: exp === undefined ? null : new Date(exp * 1000).toISOString(),
  }
  if (output === 'table') await print(io.stdout, formatFields(shown, io))
  else await printValue(io, output, shown)
}

/** A request that every accepted token may send, with the scope or without. */
async function requireAccepted(call: OperatorTransport): Promise<void> {
  try {
    await call('listPartners', { query: { limit: 1 } })
  } catch (error) {
    if (!(error instanceof TiwalaError && error.code === 'scope_not_granted')) throw error
  }
}

function readClaims(token: string): Claims {
  try {
    return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Claims
  } catch {
    throw new UsageError('The token is no JWT.')
  }
}
