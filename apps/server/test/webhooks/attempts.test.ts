// The server stores the outcomes of many attempts in one statement. Each attempt keeps its own outcome.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { claimEvents } from '../../src/webhooks/claim-events.sql.ts'
import type { DeliveryState } from '../../src/webhooks/deliver.ts'
import { type AttemptResult, recordAttempt } from '../../src/webhooks/record-attempt.sql.ts'
import { restartDeliveries } from '../../src/webhooks/replay-delivery/replay-delivery.sql.ts'
import { writeEvents } from '../kit/bulk-events.ts'
import { addPartner, read } from '../kit/rows.ts'
import { openDatabaseForFile } from '../kit/statement-database.ts'
import { rolledBack } from '../kit/stopped-clock.ts'

const database = await openDatabaseForFile()

const PARTNERS = ['ATTEMPTS_A', 'ATTEMPTS_B', 'ATTEMPTS_C']
const callbackUrl = 'https://partner.example/events'
const DELIVERED: DeliveryState = {
  status: 'DELIVERED',
  outcome: 'HTTP 204',
  nextDelaySeconds: null,
  disablesEndpoint: false,
}
const FAILED: DeliveryState = {
  status: 'PENDING',
  outcome: 'HTTP 500',
  nextDelaySeconds: 600,
  disablesEndpoint: false,
}
const GONE: DeliveryState = {
  status: 'DEAD',
  outcome: 'HTTP 410',
  nextDelaySeconds: null,
  disablesEndpoint: true,
}

type Row = { id: number; webhook_id: string; partner_code: string }

/** Pending events, for the partners in turn. */
async function addEvents(db: Database, count: number): Promise<Row[]> {
  for (const partner_code of PARTNERS) await addPartner(db, { partner_code, callback_url: callbackUrl })
  await writeEvents(db, PARTNERS, count)
  return readEvents(db)
}

/** Claims every event that is due or has an ended claim. Returns the name of each claim. */
async function claim(db: Database): Promise<Map<number, string>> {
  await sql`update callback_event set next_attempt_at = clock_now() where status = 'PENDING'`.execute(db)
  const options = { afterPartnerId: 0, limit: 100, perPartner: 100, remaining: new Map() }
  const claims = [false, true].map((isFailing) => claimEvents(db, { ...options, isFailing }))
  return new Map((await Promise.all(claims)).flat().map(({ id, claimed_until }) => [id, claimed_until]))
}

const replay = (db: Database, { webhook_id }: Row) =>
  restartDeliveries(db, [webhook_id], undefined, { actor: 'admin', requestId: 'request' })

const endClaims = (db: Database) =>
  sql`update callback_event set claimed_until = clock_timestamp() - interval '1 s'`.execute(db)

type Attempt = DeliveryState & Partial<AttemptResult>

/** Stores the outcome of an attempt of this claim. */
const record = (db: Database, { id }: { id: number }, claims: Map<number, string>, attempt: Attempt) =>
  recordAttempt(db, { id, claimedUntil: claims.get(id)!, callbackUrl, durationMs: 1, ...attempt })

const readEvents = (db: Database) =>
  read<Row>(
    db,
    `select e.id, e.webhook_id, p.partner_code, e.attempts, e.status, e.last_outcome,
            e.claimed_until is not null as is_claimed, e.delivered_at = clock_now() as is_delivered,
            e.attempt_log[1]->>'outcome' || ' ' || (e.attempt_log[1]->>'duration_ms') as logged,
            extract(epoch from e.next_attempt_at - e.last_attempt_at)::int as waits_seconds
       from callback_event e join partner p on p.id = e.partner_id order by e.id`,
  )

const readEndpoints = (db: Database) =>
  read(
    db,
    `select partner_code, is_failing, disabled_at is not null as is_disabled
       from callback_endpoint join partner p on p.id = partner_id order by partner_code`,
  )

test('each event gets its own outcome, and each endpoint the outcome of its last attempt', () =>
  rolledBack(database, async (tx) => {
    const events = await addEvents(tx, 9)
    const outcomesOf: Record<string, DeliveryState[]> = {
      ATTEMPTS_A: [FAILED, FAILED, DELIVERED],
      ATTEMPTS_B: [DELIVERED, DELIVERED, FAILED],
      ATTEMPTS_C: [GONE, DELIVERED, DELIVERED],
    }
    const claims = await claim(tx)
    const results = events.map(({ partner_code }, index) => outcomesOf[partner_code]![Math.floor(index / 3)]!)
    const stored = await Promise.all(
      events.map((event, index) => record(tx, event, claims, { durationMs: index, ...results[index]! })),
    )
    expect(stored.map((row) => row!.status)).toEqual(results.map(({ status }) => status))
    expect(await readEvents(tx)).toEqual(
      events.map((event, index) => {
        const { status, outcome, nextDelaySeconds } = results[index]!
        return {
          ...event,
          attempts: 1,
          status,
          last_outcome: outcome,
          logged: `${outcome} ${index}`,
          is_claimed: false,
          is_delivered: status === 'DELIVERED' || null,
          waits_seconds: nextDelaySeconds,
        }
      }),
    )
    expect(await readEndpoints(tx)).toEqual([
      { partner_code: 'ATTEMPTS_B', is_failing: true, is_disabled: false },
      { partner_code: 'ATTEMPTS_C', is_failing: false, is_disabled: true },
    ])
  }))

test('an endpoint fails with its last attempt, and recovers with the next success', () =>
  rolledBack(database, async (tx) => {
    const [event] = (await addEvents(tx, 1)) as [Row]
    for (const outcome of [FAILED, FAILED, DELIVERED]) {
      await record(tx, event, await claim(tx), outcome)
      expect(await readEndpoints(tx)).toEqual([
        { partner_code: event.partner_code, is_failing: outcome === FAILED, is_disabled: false },
      ])
    }
  }))

test('a disabled endpoint stays disabled when an attempt that was in flight is delivered', () =>
  rolledBack(database, async (tx) => {
    const [gone, , , late] = (await addEvents(tx, 4)) as [Row, Row, Row, Row]
    expect(late.partner_code).toBe(gone.partner_code)
    const claims = await claim(tx)
    await record(tx, gone, claims, GONE)
    await record(tx, late, claims, DELIVERED)
    expect(await readEndpoints(tx)).toEqual([
      { partner_code: gone.partner_code, is_failing: false, is_disabled: true },
    ])
  }))

test('an event keeps its last 20 attempts, also over a replay', () =>
  rolledBack(database, async (tx) => {
    const [event] = (await addEvents(tx, 1)) as [Row]
    await sql`update callback_event set occurred_at = clock_now() - interval '2 seconds'`.execute(tx)
    for (let durationMs = 0; durationMs < 25; durationMs++)
      await record(tx, event, await claim(tx), { durationMs, ...FAILED })
    await replay(tx, event)
    await record(tx, event, await claim(tx), { durationMs: 25, ...DELIVERED })
    const [row] = await read<{ log: { after_ms: number; duration_ms: number; outcome: string }[] }>(
      tx,
      'select to_json(attempt_log) as log from callback_event',
    )
    expect(row!.log.map(({ duration_ms }) => duration_ms)).toEqual(
      Array.from({ length: 20 }, (_, n) => n + 6),
    )
    expect(row!.log.at(-1)).toEqual({ after_ms: 2_000, outcome: 'HTTP 204', duration_ms: 25 })
  }))

test.each([
  ['the event was replayed', (db: Database, event: Row) => replay(db, event)],
  [
    'the event was replayed and claimed again',
    async (db: Database, event: Row) => {
      await replay(db, event)
      await claim(db)
    },
  ],
  [
    'its claim ended and another process claimed the event',
    async (db: Database) => {
      await endClaims(db)
      await claim(db)
    },
  ],
  [
    'another process stored an outcome first',
    async (db: Database, event: Row) => {
      await endClaims(db)
      await record(db, event, await claim(db), FAILED)
    },
  ],
  [
    'the event was delivered',
    async (db: Database, event: Row, claims: Map<number, string>) => {
      await record(db, event, claims, DELIVERED)
    },
  ],
])('an outcome is discarded if %s', (_case, supersede) =>
  rolledBack(database, async (tx) => {
    const [event] = (await addEvents(tx, 1)) as [Row]
    const claims = await claim(tx)
    await supersede(tx, event, claims)
    const before = [await readEvents(tx), await readEndpoints(tx)]
    for (const outcome of [FAILED, DELIVERED, GONE])
      expect(await record(tx, event, claims, outcome)).toBeUndefined()
    expect([await readEvents(tx), await readEndpoints(tx)]).toEqual(before)
  }),
)

test.each([
  ['410', GONE],
  ['a failure', FAILED],
])(
  '%s of a URL that was replaced since changes no endpoint, and the event is due at the new URL',
  (_, outcome) =>
    rolledBack(database, async (tx) => {
      const [event] = (await addEvents(tx, 1)) as [Row]
      const attempt = { ...outcome, callbackUrl: 'https://former.example/events' }
      expect(await record(tx, event, await claim(tx), attempt)).toMatchObject({ status: 'PENDING' })
      expect(await readEvents(tx)).toEqual([
        expect.objectContaining({
          status: 'PENDING',
          last_outcome: outcome.outcome,
          is_claimed: false,
          waits_seconds: 0,
        }),
      ])
      expect(await readEndpoints(tx)).toEqual([])
    }),
)
