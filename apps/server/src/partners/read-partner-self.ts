import type { Operation } from '../operation.ts'
import { findSecretExpiries } from './credentials/store.ts'

export const readPartnerSelf: Operation<'readPartnerSelf'> = async ({ db, config }, { caller }) => {
  const expiries = await findSecretExpiries(db, caller.id)
  const expiryOf = (kind: 'secret_token' | 'partner_secret') => ({
    expires_at: expiries.get(kind)?.toISOString() ?? null,
  })
  const { partnerLimits } = config
  const { name, partner_code, scopes, callback_url, sso_url, limits } = caller
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
    limits: {
      requests_per_minute: limits.requests_per_minute ?? partnerLimits.requests_per_minute,
      views_per_minute: limits.views_per_minute ?? partnerLimits.views_per_minute,
      tokens_per_minute: limits.tokens_per_minute ?? partnerLimits.tokens_per_minute,
      sign_ins_per_minute: limits.sign_ins_per_minute ?? partnerLimits.sign_ins_per_minute,
      per_day: limits.per_day,
    },
  }
  return { status: 200, body: { status: 200, message: 'OK', data } }
}
