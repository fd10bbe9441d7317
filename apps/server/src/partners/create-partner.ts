import { Failure } from '../http/failure.ts'
import type { Operation } from '../operation.ts'
import { mintSecret, mintSecretCode } from '../secrets/artefact.ts'
import { secretPrefix } from './authenticate-partner.ts'
import { insertPartner } from './store.ts'
import { toPartner } from './wire.ts'

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

export const createPartner: Operation<'createPartner'> = async ({ db, config, keys }, { body }) => {
  requireSafeUrl('callback_url', body.callback_url, config.environment)
  requireSafeUrl('sso_url', body.sso_url, config.environment)
  const secret_code = mintSecretCode()
  const secret_token = mintSecret(secretPrefix(config.environment, 'secret_token'))
  const partner_secret = mintSecret(secretPrefix(config.environment, 'partner_secret'))
  const partner = await insertPartner(
    db,
    { ...body, secret_code, callback_url: body.callback_url ?? null, sso_url: body.sso_url ?? null },
    [
      { kind: 'secret_token', mac: keys.mac('secret_token', secret_token) },
      { kind: 'partner_secret', mac: keys.mac('partner_secret', partner_secret) },
    ],
    config.secretTtlDays,
  )
  if (!partner) throw new Failure('validation_failed', { errors: { partner_code: ['is taken'] } })
  const credentials = {
    secret_code,
    secret_token,
    partner_code: partner.partner_code,
    partner_secret,
    expires_at: partner.expires_at.toISOString(),
  }
  return { status: 201, body: { partner: toPartner(partner), credentials } }
}

function requireSafeUrl(field: string, url: string | null | undefined, environment: 'sandbox' | 'live'): void {
  if (!url) return
  const { protocol, hostname, username, password } = URL.parse(url) ?? {}
  const safe = protocol === 'https:' || (protocol === 'http:' && environment === 'sandbox' && LOOPBACK.test(hostname ?? ''))
  if (!safe || username || password)
    throw new Failure('validation_failed', { errors: { [field]: ['must be an https URL without credentials'] } })
}
