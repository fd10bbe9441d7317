import { createHash, randomUUID } from 'node:crypto'
import { raw, type Request, type RequestHandler } from 'express'
import type { Config } from '../../config.ts'
import { Failure } from '../../failure.ts'
import type { Service } from '../../operation.ts'
import { findSaltsInUse } from '../../webhooks/webhook-secret.sql.ts'
import { webhookSecret } from '../../webhooks/webhook-secret.ts'
import { isSigned, readSigned, refuseUnreadable } from '../inbox.ts'
import { upsertEvent } from './lists/store.ts'
import type { OwnHandler } from './own-handler.ts'
import { findSandboxOf, setRefusedDeliveries, takeRefusal } from './store.ts'

/** Longer than any event of the service. */
const MAX_BODY_BYTES = 4 * 1024
const MAX_HEADER_CHARACTERS = 200
const MAX_REFUSALS = 5

/** Where the inbox receives: `/sandbox/inboxes/{partner_code}/{key}`. */
type InboxAddress = { partner_code: string; key: string }

/**
 * Every administrator of the sandbox can read callback URLs. So this one does not contain the id of the
 * sandbox, with which a visitor controls it, but a hash of the id.
 */
const keyOf = (sandboxId: string) => createHash('sha256').update(`inbox ${sandboxId}`).digest('base64url')

/** The callback URL of a private sandbox. */
export const inboxUrlOf = ({ publicUrl }: Config, partnerCode: string, sandboxId: string): string =>
  `${publicUrl}/sandbox/inboxes/${partnerCode}/${keyOf(sandboxId)}`

/** Stores each event that arrives at a callback URL, and refuses as many as the visitor asked for. */
export function receiveEvent(service: Service): RequestHandler<InboxAddress>[] {
  const receive: RequestHandler<InboxAddress> = async (req, res) => {
    const { db, keys } = service
    const sandbox = await findSandboxOf(db, req.params.partner_code)
    if (!sandbox || keyOf(sandbox.sandbox_id) !== req.params.key) throw new Failure('not_found')
    const { id, partner_id } = sandbox
    const sent = readSigned(req as Request)
    if ([sent.webhook_id, sent.webhook_signature].some((text) => (text?.length ?? 0) > MAX_HEADER_CHARACTERS))
      throw new Failure('malformed_request', { message: 'A header of the event is too long' })
    const salts = await findSaltsInUse(db, partner_id)
    const signature_ok = salts.some((salt) => isSigned(webhookSecret(keys, salt), sent))
    const is_refused = await takeRefusal(db, id)
    const webhook_id = sent.webhook_id ?? randomUUID()
    await upsertEvent(db, id, { ...sent, webhook_id, signature_ok, is_refused })
    res.status(is_refused ? 503 : 204).end()
  }
  return [raw({ type: () => true, limit: MAX_BODY_BYTES }), refuseUnreadable as never, receive]
}

/** `{"count": 1}`: the inbox answers the next delivery with 503, so that the service sends it again. */
export const refuseDeliveries: OwnHandler = async ({ db }, { id }, req) => {
  const { count } = (req.body ?? {}) as { count?: unknown }
  if (!Number.isInteger(count) || (count as number) < 0 || (count as number) > MAX_REFUSALS)
    throw new Failure('validation_failed', {
      errors: { count: [`must be a whole number from 0 to ${MAX_REFUSALS}`] },
    })
  await setRefusedDeliveries(db, id, count as number)
  return { body: { count } }
}
