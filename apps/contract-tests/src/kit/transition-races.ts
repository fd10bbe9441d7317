// Rounds in which 16 simultaneous requests try to end one authorization record.
//
// States: PENDING, then ACCEPTED, DECLINED, CANCELLED or EXPIRED; an ACCEPTED record can become REVOKED.
// Example: four requests accept, four decline, four cancel and four revoke. If the accepting ones succeed
// first, a revoking one may succeed after them. The partner and the audit must then see the path ACCEPTED,
// REVOKED.
//
// The consistency check compares the state, the events and the audit of each record with the responses.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { vi } from 'vitest'
import type { TestService } from './test-service.ts'

const REQUESTS_PER_ROUND = 16
/**
 * In even rounds all requests start at once. In odd rounds they start at random within this time, so that
 * the fastest operation does not always win.
 */
const WITHIN_MS = 20
const PAST_THE_END_SECONDS = 301
/** In one round of five the record also expires: before the requests, or during them. */
const EXPIRY_EVERY = 5

export type End = 'ACCEPTED' | 'DECLINED' | 'CANCELLED' | 'REVOKED'
/** The operations of a round, in turn. The fastest operation would win every round that it is part of. */
const MIXES: End[][] = [
  ['ACCEPTED', 'DECLINED', 'CANCELLED', 'REVOKED'],
  ['ACCEPTED', 'DECLINED', 'REVOKED'],
  ['ACCEPTED', 'CANCELLED', 'REVOKED'],
  ['ACCEPTED', 'REVOKED'],
]
type Attempt = { target: End; isDone: boolean }
type Round = { trackingNo: string; attempts: Attempt[] }
/**
 * Tries to end a record. Returns whether it succeeded; throws any error except `authorization_not_pending`.
 */
export type EndRecord = (trackingNo: string, target: End) => Promise<boolean>

type Participants = Awaited<ReturnType<typeof createParticipants>>

/**
 * A partner with a callback URL that refuses connections, and a citizen. `endRecord` ends a record through
 * their clients.
 */
export async function createParticipants(service: TestService) {
  const [partner, citizen] = [
    await service.partner({ callback_url: 'http://localhost:9/callback' }),
    await service.citizen(),
  ]
  const createRecord = async () =>
    (await partner.profiles.requestAuthorization(await citizen.showQr())).record.tracking_no
  const attempts: Record<End, (trackingNo: string) => Promise<unknown>> = {
    ACCEPTED: citizen.accept,
    DECLINED: citizen.decline,
    CANCELLED: partner.profiles.cancelAuthorization,
    REVOKED: citizen.revoke,
  }
  const endRecord: EndRecord = (trackingNo, target) =>
    attempts[target](trackingNo).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'authorization_not_pending')
          return false
        throw error
      },
    )
  return { createRecord, endRecord }
}

/**
 * Runs the rounds one after the other. Each ends when its record has ended, by a request or by the sweeper.
 */
export async function runRounds(
  service: TestService,
  { createRecord, endRecord }: Participants,
  rounds: number,
): Promise<Round[]> {
  const finishedRounds: Round[] = []
  for (let index = 0; index < rounds; index++) {
    const trackingNo = await createRecord()
    const mix = MIXES[Math.floor(index / 2) % MIXES.length]!
    const attempt = async (caller: number) => {
      const target = mix[caller % mix.length]!
      if (index % 2) await sleep(Math.random() * WITHIN_MS)
      return { target, isDone: await endRecord(trackingNo, target) }
    }
    const isFirst = index % (2 * EXPIRY_EVERY) === 0
    if (isFirst) await service.advance(PAST_THE_END_SECONDS)
    const expiring =
      index % EXPIRY_EVERY === 0 &&
      !isFirst &&
      sleep(Math.random() * WITHIN_MS).then(() => service.advance(PAST_THE_END_SECONDS))
    const attempts = await Promise.all(
      Array.from({ length: REQUESTS_PER_ROUND }, (_, caller) => attempt(caller)),
    )
    await expiring
    await vi.waitUntil(() => hasEnded(service, trackingNo), { timeout: 60_000, interval: 5 })
    finishedRounds.push({ trackingNo, attempts })
  }
  return finishedRounds
}

/** Runs the rounds with their own participants, and checks them. */
export const raceAndCheck = async (service: TestService, rounds: number) =>
  checkConsistency(service, await runRounds(service, await createParticipants(service), rounds))

async function hasEnded({ db }: TestService, trackingNo: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from authorization_record
     where tracking_no = ${trackingNo} and state <> 'PENDING'`.execute(db)
  return rows.length > 0
}

type Trace = { tracking_no: string; state: string; events: string[]; audits: string[] }

/** The rows of each record in the database: its state, its events to the partner and its audit events. */
async function tracesOf({ db }: TestService, rounds: Round[]): Promise<Map<string, Trace>> {
  const { rows } = await sql<Trace>`
    with notified as (
      select data->>'tracking_no' as tracking_no, array_agg(type order by id) as events
        from callback_event group by 1
    ), audited as (
      select tracking_no, array_agg(kind order by id) as audits from audit_event
       where kind like 'authorization.%' and kind <> 'authorization.requested' group by 1
    )
    select tracking_no, state, coalesce(events, '{}') as events, coalesce(audits, '{}') as audits
      from authorization_record left join notified using (tracking_no) left join audited using (tracking_no)
     where tracking_no = any (${rounds.map(({ trackingNo }) => trackingNo)})`.execute(db)
  return new Map(rows.map((trace) => [trace.tracking_no, trace]))
}

const PATHS = new Set(
  [['ACCEPTED'], ['ACCEPTED', 'REVOKED'], ['DECLINED'], ['CANCELLED'], ['EXPIRED']].map(String),
)

/** The faults of all rounds, and how often the records took each path of states. */
export async function checkConsistency(
  service: TestService,
  rounds: Round[],
): Promise<{ faults: string[]; paths: Record<string, number> }> {
  const [traces, paths]: [Map<string, Trace>, Record<string, number>] = [await tracesOf(service, rounds), {}]
  const faults = rounds.flatMap(({ trackingNo, attempts }) => {
    const { state, events, audits } = traces.get(trackingNo)!
    const path = events.map((type) => type.replace('authorization.', '').toUpperCase())
    paths[String(path)] = (paths[String(path)] ?? 0) + 1
    const done = new Set(attempts.filter(({ isDone }) => isDone).map(({ target }) => target))
    return [
      !PATHS.has(String(path)) && `the path is ${path.join(', ') || 'empty'}`,
      String(audits) !== String(events) &&
        `the audit says ${audits.join(', ')}, the partner received ${events.join(', ')}`,
      path.at(-1) !== state && `is ${state} after ${path.join(', ')}`,
      ...[...done].map(
        (target) => !path.includes(target) && `a response says ${target}, but the path is ${path.join(', ')}`,
      ),
      // A revocation may succeed before the response of the acceptance is sent.
      ...MIXES[0]!.map((end) => path.at(-1) === end && !done.has(end) && `no response says ${end}`),
    ].filter((fault) => fault !== false)
  })
  return { faults, paths }
}
