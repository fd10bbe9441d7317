import { readClock } from '../database/clock.ts'
import { Failure } from '../http/failure.ts'
import type { Operation } from '../operation.ts'
import { mintSecret, mintSecretCode } from '../secrets/artefact.ts'
import { macsOf, secretPrefix } from './credentials.ts'
import { insertPartner } from './store.ts'
import { toPartner } from './wire.ts'

const DAY_MS = 86_400_000
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

export const createPartner: Operation<'createPartner'> = async ({ db, config, keys }, { body }) => {
  requireSafeUrl('callback_url', body.callback_url, config.environment)
  requireSafeUrl('sso_url', body.sso_url, config.environment)
  const created_at = await readClock(db)
  const expiresAt = new Date(created_at.getTime() + config.secretTtlDays * DAY_MS)
  const partner = { ...body, callback_url: body.callback_url ?? null, sso_url: body.sso_url ?? null, created_at }
  const secret_code = mintSecretCode()
  const secret_token = mintSecret(secretPrefix(config.environment, 'secret_token'))
  const partner_secret = mintSecret(secretPrefix(config.environment, 'partner_secret'))
  const macs = macsOf(keys, { secret_token, partner_secret })
  const credentials = { secret_code, secret_token, partner_code: body.partner_code, partner_secret, expires_at: expiresAt.toISOString() }
  return {
    status: 201,
    body: { partner: toPartner({ ...partner, status: 'ACTIVE' }), credentials },
    // Last: the secrets stand in this answer only.
    commit: async () => {
      const isNew = await insertPartner(db, { ...partner, secret_code }, { macs, expiresAt })
      if (!isNew) throw new Failure('validation_failed', { errors: { partner_code: ['is taken'] } })
    },
  }
}

function requireSafeUrl(field: string, url: string | null | undefined, environment: 'sandbox' | 'live'): void {
  if (!url) return
  const { protocol, hostname, username, password } = URL.parse(url) ?? {}
  const safe = protocol === 'https:' || (protocol === 'http:' && environment === 'sandbox' && LOOPBACK.test(hostname ?? ''))
  if (!safe || username || password)
    throw new Failure('validation_failed', { errors: { [field]: ['must be an https URL without credentials'] } })
}
