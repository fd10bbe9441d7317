// Reduces the audit events after a backup to the changes to apply again.
//
// The last event on a partner's status counts: a partner that was suspended and then resumed is resumed. The
// preferences of a citizen are merged, because each event holds only what it has changed. Only freezes and
// blocks are kept.
//
// Example: `<subject>: frozen, blocked A`, then `<subject>: unfrozen, blocked B` become
// `<subject>: blocked A B`.
import type { Schemas } from '@tiwala/contract'
import operator from '@tiwala/contract/operator.json' with { type: 'json' }

type Event = Schemas['AuditEvent']
export type LostChange = Schemas['LostChange']

const KINDS: readonly string[] = operator.components.schemas.LostChange.properties.kind.enum
const PREFERENCES = /^([0-9a-f-]{36}): (.*)$/

/** Whether the event is a change that must not come undone. */
export const isReplayed = ({ kind, detail }: Event): boolean =>
  KINDS.includes(kind) && (kind !== 'preferences.changed' || detail !== null)

/**
 * Whether the event may have taken access from a partner or one of its people, and is not applied again. The detail of
 * `partner.changed` has only the names of the fields, of which name, purpose and limits give no access.
 */
export const isAccessChange = ({ kind, detail }: Event): boolean =>
  ['member.removed', 'member.changed'].includes(kind) ||
  (kind === 'partner.changed' && !/^(name|purpose|limits| )*$/.test(detail ?? ''))

/** `events`: in the order in which they were sealed. */
export function toLostChanges(events: readonly Event[]): LostChange[] {
  const changes = new Map<string, LostChange>()
  const preferences = new Map<string, Map<string, boolean>>()
  for (const event of events) {
    const change = toChange(event)
    const [, subject, changed] =
      (change.kind === 'preferences.changed' && PREFERENCES.exec(change.detail!)) || []
    const key = subject ?? keyOf(change)
    if (subject !== undefined) {
      const state = preferences.get(subject) ?? new Map<string, boolean>()
      preferences.set(subject, applyPreferences(state, changed!))
      change.detail = formatPreferences(subject, state)
    }
    // The order of the changes is that of the last event of each.
    changes.delete(key)
    if (change.detail !== '') changes.set(key, change)
  }
  return [...changes.values()]
}

function toChange({ kind, occurred_at, partner_code, tracking_no, detail }: Event): LostChange {
  const fields = Object.entries({ kind, occurred_at, partner_code, tracking_no, detail })
  return Object.fromEntries(fields.filter(([, value]) => value !== null)) as LostChange
}

/** Changes of the same thing have the same key. */
function keyOf({ kind, partner_code, tracking_no, detail }: LostChange): string {
  if (kind === 'partner.suspended' || kind === 'partner.resumed') return `partner status ${partner_code}`
  return [kind, partner_code, tracking_no, detail].join(' ')
}

/** `state`: what is frozen or blocked, by `frozen` or the partner code. */
function applyPreferences(state: Map<string, boolean>, changed: string): Map<string, boolean> {
  for (const [word, ...codes] of changed.split(', ').map((part) => part.split(' ')))
    for (const name of codes.length ? codes : ['frozen']) state.set(name, !word!.startsWith('un'))
  return state
}

/** Empty if nothing is forbidden. */
function formatPreferences(subject: string, state: Map<string, boolean>): string {
  const forbidden = [...state].flatMap(([name, isForbidden]) => (isForbidden ? [name] : []))
  const codes = forbidden.filter((name) => name !== 'frozen')
  const parts = [forbidden.includes('frozen') && 'frozen', codes.length && `blocked ${codes.join(' ')}`]
  return forbidden.length ? `${subject}: ${parts.filter(Boolean).join(', ')}` : ''
}
