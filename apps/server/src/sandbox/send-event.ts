import type { Schemas } from '@tiwala/contract'
import { requireSafeCallback } from '../network/safe-url.ts'
import { setCallbackUrl } from '../partners/set-callback/set-callback.sql.ts'
import { mintTrackingNo } from '../secrets/tokens.ts'
import { insertSampleEvent } from '../webhooks/insert-event.sql.ts'
import { inboxUrlOf } from './inbox.ts'
import { ownHandler } from './own-handler.ts'
import { requireAgreement } from './receiver-agreement.ts'

const MAX_URL_CHARACTERS = 2_000
const DAY_MS = 86_400_000

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

/** The content of a sample event of each type, about a record or a secret that does not exist. */
const SAMPLES: Record<Schemas['EventType'], () => object> = {
  'authorization.accepted': () => sampleRecord('ACCEPTED'),
  'authorization.declined': () => sampleRecord('DECLINED'),
  'authorization.expired': () => sampleRecord('EXPIRED'),
  'authorization.cancelled': () => sampleRecord('CANCELLED'),
  'authorization.revoked': () => sampleRecord('REVOKED'),
  'profile.viewed': () => sampleRecord('VIEWED', 'PROFILE_VIEW'),
  'sso.authenticated': () => ({ scope: 'SSO_AUTHENTICATION' }),
  'credential.expiring': () => ({
    credential: 'secret_token',
    expires_at: new Date(Date.now() + DAY_MS).toISOString(),
  }),
  'webhook.test': () => ({ is_test: true }),
}

const sampleRecord = (state: Schemas['AuthorizationState'], scope: Schemas['Scope'] = 'PROFILE_INQUIRE') => ({
  tracking_no: mintTrackingNo(),
  state,
  scope,
})

/** `{"type": "authorization.accepted"}` sends a sample event through the delivery worker. */
export const sendEvent = ownHandler<{ type: Schemas['EventType'] }>(
  { type: { enum: Object.keys(SAMPLES) } },
  async ({ db }, { partner_id }, { type }) => {
    await insertSampleEvent(db, partner_id, type, SAMPLES[type]())
    return { status: 202, body: { type } }
  },
)
