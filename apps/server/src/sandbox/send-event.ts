import type { Schemas } from '@tiwala/contract'
import { requireSafeCallback } from '../network/safe-url.ts'
import { setCallbackUrl } from '../partners/set-callback/set-callback.sql.ts'
import { requireAgreement } from '../webhooks/receiver-agreement.ts'
import { EVENT_TYPES, sampleEvent } from '../webhooks/sample-events.ts'
import { insertTestEvent } from '../webhooks/test-callback/test-callback.sql.ts'
import { inboxUrlOf } from './inbox.ts'
import { ownHandler } from './own-handler.ts'

const MAX_URL_CHARACTERS = 2_000

/**
 * `{"callback_url": "https://..."}` sends the events of a sandbox to the visitor's server. Null: to the
 * sandbox's own inbox.
 */
export const setCallback = ownHandler<{ callback_url: string | null }>(
  { callback_url: { type: ['string', 'null'], pattern: '\\S', maxLength: MAX_URL_CHARACTERS } },
  async (service, { partner_id, partner_code, inbox_key }, { callback_url }, { exchange: { requestId } }) => {
    // Loopback addresses are those of the visitor only if the sandbox itself is at one.
    requireSafeCallback(callback_url, service.config.callbackAddresses)
    if (callback_url !== null && !service.config.isLocalSandbox)
      await requireAgreement(service, partner_id, callback_url)
    const url = callback_url ?? inboxUrlOf(service, inbox_key)
    const action = { kind: 'partner.changed', actor: 'sandbox', requestId, detail: 'callback_url' }
    await setCallbackUrl(service, partner_code, url, action)
    return { body: { callback_url: url } }
  },
)

/** `{"type": "authorization.accepted"}` sends a sample event through the delivery worker. */
export const sendEvent = ownHandler<{ type: Schemas['EventType'] }>(
  { type: { enum: EVENT_TYPES } },
  async ({ db }, { partner_code }, { type }, { exchange: { requestId } }) => {
    const action = { kind: 'callback.tested', actor: 'sandbox', requestId }
    await insertTestEvent(db, partner_code, sampleEvent(type), null, action)
    return { status: 202, body: { type } }
  },
)
