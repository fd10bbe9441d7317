import type { Schemas } from '@tiwala/contract'
import { Failure } from '../../failure.ts'
import { requireSafeUrl } from '../../partners/safe-url.ts'
import { setCallbackUrl } from '../../partners/set-callback/set-callback.sql.ts'
import { mintTrackingNo } from '../../secrets/tokens.ts'
import { insertSampleEvent } from '../../webhooks/insert-event.sql.ts'
import { inboxUrlOf } from './inbox.ts'
import type { OwnHandler } from './own-handler.ts'

const MAX_URL_CHARACTERS = 2_000
const DAY_MS = 86_400_000

/**
 * `{"callback_url": "https://..."}` sends the events of a private sandbox to the visitor's server. Null: to
 * the sandbox's own inbox.
 */
export const setOwnCallback: OwnHandler = async (service, sandbox, req) => {
  const { config } = service
  const { callback_url } = (req.body ?? {}) as { callback_url?: unknown }
  if (callback_url !== null && !isUrlText(callback_url))
    throw new Failure('validation_failed', { errors: { callback_url: ['must be a URL or null'] } })
  // Loopback addresses are those of the visitor only if the sandbox itself is at one.
  requireSafeUrl('callback_url', callback_url, config.allowLoopbackCallbacks ? 'sandbox' : 'live')
  const url = callback_url ?? inboxUrlOf(config, sandbox.partner_code, sandbox.sandbox_id)
  await setCallbackUrl(service, sandbox.partner_code, url, {
    kind: 'partner.changed',
    actor: 'sandbox',
    requestId: req.exchange.requestId,
    detail: 'callback_url',
  })
  return { body: { callback_url: url } }
}

const isUrlText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= MAX_URL_CHARACTERS

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
  'webhook.test': () => ({}),
}

const sampleRecord = (state: Schemas['AuthorizationState'], scope: Schemas['Scope'] = 'PROFILE_INQUIRE') => ({
  tracking_no: mintTrackingNo(),
  state,
  scope,
})

/** `{"type": "authorization.accepted"}` sends a sample event through the delivery worker. */
export const sendEvent: OwnHandler = async ({ db }, { partner_id }, req) => {
  const { type } = (req.body ?? {}) as { type?: unknown }
  if (typeof type !== 'string' || !Object.hasOwn(SAMPLES, type))
    throw new Failure('validation_failed', {
      errors: { type: [`must be one of ${Object.keys(SAMPLES).join(', ')}`] },
    })
  const known = type as Schemas['EventType']
  await insertSampleEvent(db, partner_id, known, SAMPLES[known]())
  return { status: 202, body: { type } }
}
