import { type BreakingEdit, gone, merged, minus, to, without } from './edits.ts'

/** Changes of events that break partners. */
export const BREAKING_EVENTS: BreakingEdit[] = [
  [
    'the schema of the events of a stream is gone',
    'citizen-app',
    'CitizenEvent',
    gone,
    /^CitizenEvent: the schema is gone/,
  ],
  [
    'the body of an event may be absent',
    'partner',
    'profile.viewed > requestBody > required',
    gone,
    /no longer always sent/,
  ],
  [
    'a type is taken away from a stream',
    'citizen-app',
    'CitizenEvent > properties > type > enum',
    minus('profile.viewed'),
    /^CitizenEvent > type: `profile.viewed`/,
  ],
  [
    'a new field in an event',
    'partner',
    'AuthorizationEvent > properties > data > properties',
    merged({ reason: {} }),
    /^AuthorizationEvent > data > reason/,
  ],
  [
    'a field is gone from an event',
    'partner',
    'AuthorizationEvent > properties > data',
    (old: { properties: Record<string, unknown> }) => ({
      ...old,
      properties: without('scope')(old.properties),
    }),
    /^AuthorizationEvent > data > scope/,
  ],
  [
    'a field of an event has another type',
    'partner',
    'AuthorizationEvent > properties > timestamp',
    to({ type: 'integer' }),
    /^AuthorizationEvent > timestamp/,
  ],
  [
    'a type is taken away from an event',
    'partner',
    'AuthorizationEvent > properties > type > enum',
    minus('profile.viewed'),
    /`profile.viewed` is no longer listed/,
  ],
  [
    'a header of an event is gone',
    'partner',
    'profile.viewed > parameters',
    (old: unknown[]) => old.slice(0, 2),
    /header webhook-signature: the parameter is gone/,
  ],
  [
    'a header of events may be absent',
    'partner',
    'WebhookSignature > required',
    gone,
    /^WebhookSignature .+no longer always sent/,
  ],
  [
    'an answer to an event is no longer accepted',
    'partner',
    'profile.viewed > responses',
    without('410'),
    /^profile.viewed > 410/,
  ],
]
