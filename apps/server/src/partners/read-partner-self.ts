import type { Operation } from '../operation.ts'
import { findSecretExpiries } from './credentials/credential.sql.ts'
import { effectiveLimits } from './partner.ts'

export const readPartnerSelf: Operation<'readPartnerSelf'> = async ({ db, config }, { caller }) => {
  const expiries = await findSecretExpiries(db, caller.id)
  const expiryOf = (kind: 'secret_token' | 'partner_secret') => ({
    expires_at: expiries.get(kind)?.toISOString() ?? null,
  })
  const { name, partner_code, scopes, callback_url, sso_url } = caller
  const data = {
    name,
    partner_code,
    environment: config.environment,
    // Only active partners are authenticated.
    status: 'ACTIVE' as const,
    scopes,
    callback_url,
    sso_url,
    secrets: { secret_token: expiryOf('secret_token'), partner_secret: expiryOf('partner_secret') },
    limits: effectiveLimits(caller, config),
  }
  return { status: 200, body: { status: 200, message: 'OK', data } }
}
