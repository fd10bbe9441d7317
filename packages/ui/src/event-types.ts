import type { Schemas } from '@tiwala/contract'

export type EventType = Schemas['EventType']
/** A record, so that no type can be missing. */
const TYPES: Record<EventType, 1> = {
  'webhook.test': 1,
  'authorization.accepted': 1,
  'authorization.declined': 1,
  'authorization.expired': 1,
  'authorization.cancelled': 1,
  'authorization.revoked': 1,
  'profile.viewed': 1,
  'sso.authenticated': 1,
  'credential.expiring': 1,
}
export const EVENT_TYPES = Object.keys(TYPES) as EventType[]
