import { readClock, daysAfter } from '../../database/clock.ts'
import { Failure } from '../../failure.ts'
import { requireSafeCallback } from '../../network/safe-url.ts'
import type { Operation } from '../../operation.ts'
import { mintSecretCode, mintSecret } from '../../secrets/tokens.ts'
import { mintSalt, webhookSecret } from '../../webhooks/webhook-secret.ts'
import { requireRanges } from '../allow-list.ts'
import { secretPrefix, hmacsOf } from '../credentials/credential.ts'
import { limitsOf, toPartner } from '../partner.ts'
import { findSimilar, requirePlainLetters } from '../similar-names.ts'
import { requireSsoUrl } from '../sso-url.ts'
import { ACTIVE, insertPartner, WAITING } from './create-partner.sql.ts'

export const createPartner: Operation<'createPartner'> = async (
  { db, config, keys },
  { body, caller, requestId },
) => {
  requireSafeCallback(body.callback_url, config.callbackAddresses)
  requireSsoUrl(body.sso_url, config.environment)
  requireRanges('ip_allow_list', body.ip_allow_list)
  requirePlainLetters(body)
  const created_at = await readClock(db)
  const expiresAt = daysAfter(created_at, config.secretTtlDays)
  const partner = {
    ...body,
    callback_url: body.callback_url ?? null,
    sso_url: body.sso_url ?? null,
    ip_allow_list: body.ip_allow_list ?? [],
    limits: limitsOf(body.limits ?? {}),
    created_at,
  }
  const start = config.goingLiveKeys ? WAITING : ACTIVE
  const secret_code = mintSecretCode()
  const secret_token = mintSecret(secretPrefix(config.environment, 'secret_token'))
  const partner_secret = mintSecret(secretPrefix(config.environment, 'partner_secret'))
  const hmacs = hmacsOf(keys, { secret_token, partner_secret })
  const webhookSalt = mintSalt(keys)
  const credentials = {
    secret_code,
    secret_token,
    partner_code: body.partner_code,
    partner_secret,
    webhook_secret: webhookSecret(keys, webhookSalt),
    expires_at: expiresAt.toISOString(),
  }
  return {
    status: 201,
    body: {
      partner: { ...toPartner({ ...partner, ...start }), ...(await findSimilar(db, body)) },
      credentials,
      base_url: config.publicUrl,
      auth_url: config.publicUrl,
    },
    // The insert comes last: the secrets are sent in this response only.
    commit: async (tx) => {
      const action = { kind: 'partner.created', actor: caller.subject, requestId }
      const isNew = await insertPartner(
        tx,
        { ...partner, secret_code },
        { hmacs, expiresAt, webhookSalt },
        action,
        start,
      )
      if (!isNew) throw new Failure('partner_code_taken', { errors: { partner_code: ['is taken'] } })
    },
  }
}
