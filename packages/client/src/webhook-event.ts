import type { WebhookEvent as DocumentedEvent } from '@tiwala/contract/partner'
import type { Unknown } from '@tiwala/transport'

/** An event of a type that this version of the client does not know, from a newer version of the service. */
export type UnknownEvent = { type: Unknown; timestamp: string; data: object }

/** An event. The field `type` discriminates the union. A `default` gets an `UnknownEvent`. */
export type WebhookEvent = DocumentedEvent | UnknownEvent

/** An event that you make for a test. Without a `timestamp`, it has that of the moment. */
export type TestEvent = DocumentedEvent extends infer Event
  ? Event extends { timestamp: string }
    ? Omit<Event, 'timestamp'> & { timestamp?: string }
    : never
  : never
