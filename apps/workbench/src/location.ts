import { type Place as AnyPlace, placesOf } from '@tiwala/ui/places'

export const VIEWS = {
  requests: 'Requests',
  records: 'Records',
  events: 'Events',
  figures: 'Figures',
  credentials: 'Credentials',
  settings: 'Settings',
  'going-live': 'Going live',
  members: 'Members',
} as const
export type View = keyof typeof VIEWS
export type Place = AnyPlace<View>
export const { hrefOf, usePlace } = placesOf(VIEWS)
