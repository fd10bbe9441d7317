// The going-live list, and what the traffic of a partner says about it. Each check reads the newest requests of the
// partner. A fault counts only while it is recent, so that a partner that mended it passes.
import type { Schemas } from '@tiwala/contract'
import catalogue from '@tiwala/contract/errors.json' with { type: 'json' }
import type { TrafficRow } from '../requests/requests.sql.ts'

type Check = Schemas['GoingLiveCheck']
type Result = Omit<Check, 'check'>
export type CredentialUse = {
  kind: Schemas['CredentialKind']
  created_at: Date
  last_used_on: string | null
}
/** What the checks read. The newest of each list first. */
export type Evidence = {
  traffic: TrafficRow[]
  credentials: CredentialUse[]
  /** Each sign-in: whether it had `state` or a code challenge. */
  signIns: { is_bound: boolean }[]
  /** What the server did in place of checking signatures; empty if it checked them. `undefined`: no server gets events. */
  receiver: string | undefined
}

/** So many of the newest cases must be right. */
export const NEWEST = 10
const MAX_REQUEST_IDS = 5
const END_STATES = ['ACCEPTED', 'DECLINED', 'EXPIRED', 'REVOKED'] as const
/** The header has whole seconds, and a request is on its way for a moment. */
const TOLERANCE_MS = 1_000
/** Other checks are about these. */
const OTHER_ERRORS = new Set<string>(['slow_down', 'rate_limited', 'browser_use_forbidden'])

/** The checks in the order of the list. */
export const CHECKS: Record<Check['check'], (evidence: Evidence) => Result> = {
  states: ({ traffic }) => {
    const own = traffic.filter((row) => row.is_own)
    if (!own.some((row) => row.operation === 'requestAuthorization' && row.status < 300))
      return toResult('not_used', 'You have requested no authorization.')
    const read = END_STATES.flatMap((state) => own.find((row) => tells(row, state)) ?? [])
    const told = read.map((row) => row.told_state)
    const missing = END_STATES.filter((state) => !told.includes(state))
    return toResult(
      missing.length ? 'not_seen' : 'passed',
      `Inquired: ${told.join(', ') || 'none'}.${missing.length ? ` Inquire a record in each state: ${missing.join(', ')}.` : ''}`,
      { seen: read.length, rows: read },
    )
  },

  retry_after: ({ traffic }) => {
    const own = traffic.filter((row) => row.is_own)
    const isRepeated = own.map((row, index) => isRepeatedEarly(row, own.slice(0, index)))
    const waits = own.flatMap((row, index) =>
      isRepeated[index] === undefined ? [] : [{ row, isEarly: isRepeated[index] }],
    )
    const newest = waits.slice(0, NEWEST)
    const early = newest.filter(({ isEarly }) => isEarly)
    if (early.length)
      return toResult(
        'failed',
        `Of your newest ${newest.length} waits, you repeated ${early.length} before the time of Retry-After. Wait as long as it says: ${NEWEST} times in a row.`,
        { seen: waits.length, faults: early.length, rows: early.map(({ row }) => row) },
      )
    return newest.length
      ? toResult('passed', `Your newest ${newest.length} waits were as long as Retry-After says.`, {
          seen: waits.length,
          rows: newest.map(({ row }) => row),
        })
      : toResult('not_seen', 'Inquire a pending record, wait as long as Retry-After says, and inquire again.')
  },

  signatures: ({ receiver }) => {
    if (receiver === undefined) return toResult('not_used', 'You have no server that receives events.')
    return receiver
      ? toResult('failed', `Your server ${receiver}.`, { faults: 1 })
      : toResult('passed', 'Your server refused the wrong signature and accepted the right one.', { seen: 1 })
  },

  browser: ({ traffic, credentials }) => {
    const own = traffic.filter((row) => row.is_own)
    const isRotated = ({ operation, received_at }: TrafficRow) => {
      const sent = operation === 'generateToken' ? 'partner_secret' : 'secret_token'
      return credentials.some(({ kind, created_at }) => kind === sent && created_at >= received_at)
    }
    const leaks = traffic.filter((row) => row.error === 'browser_use_forbidden' && !isRotated(row))
    if (leaks.length)
      return toResult(
        'failed',
        'A page in a browser sent your secrets, so they have leaked. Send them from your server only, then rotate them.',
        { seen: own.length, faults: leaks.length, rows: leaks },
      )
    return own.length
      ? toResult('passed', 'No browser sent your secrets since they were issued.', { seen: own.length })
      : toResult('not_seen', 'Send a request from your server.')
  },

  sign_in_binding: ({ signIns }) => {
    const newest = signIns.slice(0, NEWEST)
    const unbound = newest.filter(({ is_bound }) => !is_bound).length
    if (!newest.length) return toResult('not_used', 'No citizen has signed in.')
    return unbound
      ? toResult(
          'failed',
          `Of the newest ${newest.length} sign-ins, ${unbound} had neither state nor a code challenge. Start each sign-in with one of them: ${NEWEST} times in a row.`,
          { seen: newest.length - unbound, faults: unbound },
        )
      : toResult('passed', `The newest ${newest.length} sign-ins had state or a code challenge.`, {
          seen: newest.length,
        })
  },

  rotation: ({ credentials }) => {
    const isFirst = (used: CredentialUse, index: number) =>
      !credentials.some((other, at) => at > index && other.kind === used.kind)
    const rotated = credentials.filter(
      (used, index) => used.last_used_on !== null && !isFirst(used, index),
    ).length
    return rotated
      ? toResult('passed', 'A rotated secret is in use.', { seen: rotated })
      : toResult('not_seen', 'Rotate a secret, and send a request with the new one.')
  },

  errors: ({ traffic }) => {
    const rejected = traffic.filter(
      (row) =>
        row.is_own && row.error !== null && !OTHER_ERRORS.has(row.error) && catalogue[row.error].status < 500,
    )
    const codes = [...new Set(rejected.map((row) => row.error!))]
    const lookedUp = rejected.filter((row) => row.is_looked_up)
    const known = new Set(lookedUp.map((row) => row.error))
    const repeated = codes.filter(
      (code) => !known.has(code) && rejected.filter((row) => row.error === code).length > 1,
    )
    if (repeated.length)
      return toResult(
        'failed',
        `You repeated an error that you have not looked up. Read the diagnosis of one request of each: ${repeated.join(', ')}.`,
        {
          seen: known.size,
          faults: repeated.length,
          rows: rejected.filter((row) => repeated.includes(row.error!)),
        },
      )
    return known.size
      ? toResult('passed', `Looked up: ${[...known].join(', ')}.`, { seen: known.size, rows: lookedUp })
      : toResult(
          'not_seen',
          'Cause an error, for example inquire an unknown tracking number, and read its diagnosis.',
        )
  },
}

export const runChecks = (evidence: Evidence): Check[] =>
  (Object.keys(CHECKS) as Check['check'][]).map((check) => ({ check, ...CHECKS[check](evidence) }))

/** A partner that uses neither API has shown nothing. */
export const isReady = (checks: Check[]): boolean =>
  checks.every(({ outcome }) => outcome === 'passed' || outcome === 'not_used') &&
  checks.some(
    ({ check, outcome }) => outcome === 'passed' && (check === 'states' || check === 'sign_in_binding'),
  )

type Seen = { seen?: number; faults?: number; rows?: TrafficRow[] }
const toResult = (
  outcome: Check['outcome'],
  detail: string,
  { seen = 0, faults = 0, rows = [] }: Seen = {},
): Result => ({
  outcome,
  seen,
  faults,
  request_ids: rows.slice(0, MAX_REQUEST_IDS).map((row) => row.request_id),
  detail,
})

const tells = (row: TrafficRow, state: string) =>
  row.operation === 'inquire' && row.status === 200 && row.told_state === state

/**
 * Whether the partner repeated a request before `Retry-After` of its response. `undefined`: the response has none, or the
 * partner has not repeated it. A pending record that is inquired too early is rejected with `slow_down`, since other
 * records may be inquired meanwhile; every other rejection is of the whole operation.
 */
function isRepeatedEarly(row: TrafficRow, later: TrafficRow[]): boolean | undefined {
  if (row.retry_after_seconds === null) return undefined
  if (row.error === 'slow_down') return true
  const operation = row.operation === 'requestAuthorization' && row.status < 300 ? 'inquire' : row.operation
  const answeredAtMs = row.received_at.getTime() + row.duration_ms
  const next = later.findLast(
    (each) => each.operation === operation && each.received_at.getTime() >= answeredAtMs,
  )
  if (!next) return undefined
  if (row.status < 300) return false
  return next.received_at.getTime() < answeredAtMs + row.retry_after_seconds * 1_000 - TOLERANCE_MS
}
