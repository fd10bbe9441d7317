import { type BreakingEdit, removed, withKeys, withoutItems, replacedBy, withoutKey } from './edits.ts'

/** Changes of events that break partners. */
export const BREAKING_EVENTS: BreakingEdit[] = [
  [
    'the schema of the events of a stream was removed',
    'citizen-app',
    'CitizenEvent',
    removed,
    /^CitizenEvent > type .+: the field was removed/,
  ],
  [
    'the body of an event may be absent',
    'partner',
    'profile.viewed > requestBody > required',
    removed,
    /no longer always sent/,
  ],
  [
    'a type is taken away from a stream',
    'citizen-app',
    'CitizenEvent > properties > type > enum',
    withoutItems('profile.viewed'),
    /^CitizenEvent > type .+: `profile.viewed`/,
  ],
  [
    'a new field in an event',
    'partner',
    'AuthorizationEvent > properties > data > properties',
    withKeys({ reason: {} }),
    /^AuthorizationEvent > data > reason/,
  ],
  [
    'a field was removed from an event',
    'partner',
    'AuthorizationEvent > properties > data',
    (old: { properties: Record<string, unknown> }) => ({
      ...old,
      properties: withoutKey('scope')(old.properties),
    }),
    /^AuthorizationEvent > data > scope/,
  ],
  [
    'a field of an event has another type',
    'partner',
    'AuthorizationEvent > properties > timestamp',
    replacedBy({ type: 'integer' }),
    /^AuthorizationEvent > timestamp/,
  ],
  [
    'a type is taken away from an event',
    'partner',
    'AuthorizationEvent > properties > type > enum',
    withoutItems('profile.viewed'),
    /`profile.viewed` is no longer listed/,
  ],
  [
    'a header of an event was removed',
    'partner',
    'profile.viewed > parameters',
    (old: unknown[]) => old.slice(0, 2),
    /header webhook-signature: the parameter was removed/,
  ],
  [
    'a header of events may be absent',
    'partner',
    'WebhookSignature > required',
    removed,
    /^WebhookSignature .+no longer always sent/,
  ],
  [
    'an answer to an event is no longer accepted',
    'partner',
    'profile.viewed > responses',
    withoutKey('410'),
    /^profile.viewed > 410/,
  ],
]
