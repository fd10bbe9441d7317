import type { Schemas } from '@tiwala/contract'
import { mintTrackingNo } from '../secrets/tokens.ts'

const DAY_MS = 86_400_000

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

export const EVENT_TYPES = Object.keys(SAMPLES) as Schemas['EventType'][]

export type SampleEvent = { type: Schemas['EventType']; data: object }
export const sampleEvent = (type: Schemas['EventType']): SampleEvent => ({ type, data: SAMPLES[type]() })
