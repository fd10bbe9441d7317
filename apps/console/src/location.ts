import { type Place as AnyPlace, placesOf } from '@tiwala/ui/places'

export const VIEWS = {
  partners: 'Partners',
  refusals: 'Rejected requests',
  use: 'Usage',
  anomalies: 'Alarms',
  approvals: 'Approvals',
  deliveries: 'Deliveries',
  citizens: 'Citizens',
  disputes: 'Disputes',
  audit: 'Audit',
  keys: 'Keys',
  fleet: 'Fleet',
  people: 'People',
} as const
export type View = keyof typeof VIEWS
export type Place = AnyPlace<View>
export const { hrefOf, usePlace } = placesOf(VIEWS)
