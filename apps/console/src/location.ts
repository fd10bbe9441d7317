import { type Place as AnyPlace, placesOf } from '@tiwala/ui/places'

export const VIEWS = {
  partners: 'Partners',
  refusals: 'Rejected requests',
  use: 'Usage',
  anomalies: 'Alarms',
  deliveries: 'Deliveries',
  citizens: 'Citizens',
  disputes: 'Disputes',
  approvals: 'Approvals',
  audit: 'Audit',
  keys: 'Keys',
  fleet: 'Fleet',
  people: 'People',
} as const
export type View = keyof typeof VIEWS
export const GROUPS: Record<string, View[]> = {
  Partners: ['partners', 'refusals', 'use', 'anomalies', 'deliveries'],
  Citizens: ['citizens', 'disputes'],
  Service: ['approvals', 'audit', 'keys', 'fleet', 'people'],
}
export type Place = AnyPlace<View>
export const { hrefOf, usePlace } = placesOf(VIEWS)
