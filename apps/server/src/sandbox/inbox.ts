// The inbox of a sandbox: the callback URL of its partner. It shows each event that arrives, as JSON and as a
// page, and refuses as many deliveries as its visitor asked for.
import { raw, type RequestHandler } from 'express'
import { Webhook } from 'standardwebhooks'
import { Failure } from '../failure.ts'
import { toUnreadable, withinBytes } from '../http/pipeline/body.ts'
import type { Service } from '../operation.ts'
import { findSaltsInUse } from '../webhooks/webhook-secret.sql.ts'
import { webhookSecret } from '../webhooks/webhook-secret.ts'
import type { InboxEvent } from './bootstrap-format.ts'
import { setRefusedDeliveries, takeRefusal, upsertEvent } from './inbox.sql.ts'
import { ownHandler } from './own-handler.ts'
import { DEFAULT_ID, findByInboxKey } from './sandboxes.sql.ts'

/** Longer than any event of the service. */
const MAX_BODY_BYTES = 4 * 1024
const MAX_HEADER_CHARACTERS = 200
const MAX_REFUSALS = 5

/**
 * The callback URL of a sandbox. Every administrator of the sandbox can read callback URLs, so it does not
 * contain the id, with which a visitor controls the sandbox.
 */
export const inboxUrlOf = ({ config }: Service, inboxKey: string): string =>
  `${config.publicUrl}/sandbox/${inboxKey === DEFAULT_ID ? 'inbox' : `inboxes/${inboxKey}`}`

const parse = withinBytes(
  MAX_BODY_BYTES,
  raw({ type: () => true, limit: MAX_BODY_BYTES }),
  () => new Failure('payload_too_large'),
)
const readBytes: RequestHandler = (req, res, next) =>
  parse(req, res, (error?: unknown) => next(error && toUnreadable(error as Error)))

/** Stores the event that a request brings, from anyone: whether its signature fits is shown. */
export const receiveEvent = ({ db, keys }: Service): RequestHandler[] => [
  readBytes,
  async (req, res) => {
    const sandbox = await findByInboxKey(db, String(req.params['inbox_key'] ?? DEFAULT_ID))
    if (!sandbox) throw new Failure('not_found')
    const header = (name: string) => req.get(`webhook-${name}`) ?? null
    const sent = {
      webhook_id: header('id'),
      webhook_timestamp: header('timestamp'),
      webhook_signature: header('signature'),
      body: Buffer.isBuffer(req.body) ? req.body.toString() : '',
    }
    if (Object.values({ ...sent, body: '' }).some((text) => (text?.length ?? 0) > MAX_HEADER_CHARACTERS))
      throw new Failure('malformed_request', { message: 'A header of the event is too long' })
    const salts = await findSaltsInUse(db, sandbox.partner_id)
    const signature_ok = salts.some((salt) => isSigned(webhookSecret(keys, salt), sent))
    const is_refused = signature_ok && (await takeRefusal(db, sandbox.id))
    await upsertEvent(db, sandbox.id, { ...sent, signature_ok, is_refused })
    res.status(is_refused ? 503 : 204).end()
  },
]

type Signed = Pick<InboxEvent, 'webhook_id' | 'webhook_timestamp' | 'webhook_signature' | 'body'>

/** Checks one signature of Standard Webhooks, but not its age: a late event is not a forged one. */
function isSigned(
  secret: string,
  { webhook_id, webhook_timestamp, webhook_signature, body }: Signed,
): boolean {
  if (!webhook_id || !webhook_signature || !/^\d{1,12}$/.test(webhook_timestamp ?? '')) return false
  const signature = new Webhook(secret).sign(webhook_id, new Date(Number(webhook_timestamp) * 1_000), body)
  return webhook_signature.split(' ').includes(signature)
}

/** `{"count": 1}`: the inbox answers the next delivery with 503, so that the service sends it again. */
export const refuseDeliveries = ownHandler<{ count: number }>(
  { count: { type: 'integer', minimum: 0, maximum: MAX_REFUSALS } },
  async ({ db }, { id }, { count }) => {
    await setRefusedDeliveries(db, id, count)
    return { body: { count } }
  },
)
