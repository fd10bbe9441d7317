import { needsApproval } from '../../approvals/approval.ts'
import { ask, requireReason } from '../../approvals/ask.ts'
import { readClock, daysAfter } from '../../database/clock.ts'
import type { Database } from '../../database/connect.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { Failure } from '../../failure.ts'
import { requireSafeCallback } from '../../network/safe-url.ts'
import type { Operation } from '../../operation.ts'
import { mintApprovalId, mintSecretCode, mintSecret } from '../../secrets/tokens.ts'
import { mintSalt, webhookSecret } from '../../webhooks/webhook-secret.ts'
import { requireRanges } from '../allow-list.ts'
import { secretPrefix, hmacsOf } from '../credentials/credential.ts'
import { findPartner } from '../partner.sql.ts'
import { limitsOf, toPartner } from '../partner.ts'
import { findSimilar, requirePlainLetters } from '../similar-names.ts'
import { requireSsoUrl } from '../sso-url.ts'
import { ACTIVE, insertPartner, WAITING } from './create-partner.sql.ts'

export const createPartner: Operation<'createPartner'> = async (
  { db, config, keys },
  { body, caller, query, requestId },
) => {
  const by = { actor: caller.subject, requestId, ...query }
  const { scopes } = body
  const waits = scopes.length > 0 && needsApproval(config, 'scope')
  if (waits) requireReason(by.reason)
  requireSafeCallback(body.callback_url, config.callbackAddresses)
  requireSsoUrl(body.sso_url, config.environment)
  requireRanges('ip_allow_list', body.ip_allow_list)
  requirePlainLetters(body)
  const created_at = await readClock(db)
  const expiresAt = daysAfter(created_at, config.secretTtlDays)
  const partner = {
    ...body,
    scopes: waits ? [] : scopes,
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
  const approval_id = mintApprovalId()
  const credentials = {
    secret_code,
    secret_token,
    partner_code: body.partner_code,
    partner_secret,
    webhook_secret: webhookSecret(keys, webhookSalt),
    expires_at: expiresAt.toISOString(),
  }
  const insert = async (tx: Database) => {
    const action = { ...by, kind: 'partner.created' }
    const isNew = await insertPartner(
      tx,
      { ...partner, secret_code },
      { hmacs, expiresAt, webhookSalt },
      action,
      start,
    )
    if (!isNew) throw new Failure('partner_code_taken', { errors: { partner_code: ['is taken'] } })
  }
  const insertAndAsk = async (tx: Database) => {
    await insert(tx)
    const { id: partnerId } = (await findPartner(tx, body.partner_code))!
    const act = { kind: 'scope' as const, partnerId, change: { scopes }, previous: { scopes: [] } }
    await ask({ config, db: tx }, act, by, approval_id)
  }
  return {
    status: 201,
    body: {
      partner: { ...toPartner({ ...partner, ...start }), ...(await findSimilar(db, body)) },
      credentials,
      base_url: config.publicUrl,
      auth_url: config.publicUrl,
      ...(waits && { approval_id }),
    },
    // The insert comes last: the secrets are sent in this response only.
    commit: waits ? (within) => inTransaction(within, insertAndAsk) : insert,
  }
}
