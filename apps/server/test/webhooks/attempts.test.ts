// The server stores the outcomes of many attempts in one statement. Each attempt keeps its own outcome.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import type { DeliveryState } from '../../src/webhooks/deliver.ts'
import { recordAttempt } from '../../src/webhooks/record-attempt.sql.ts'
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

/** Claimed events, for the partners in turn. */
async function addEvents(db: Database, count: number): Promise<Row[]> {
  for (const partner_code of PARTNERS) await addPartner(db, { partner_code, callback_url: callbackUrl })
  await writeEvents(db, PARTNERS, count)
  await sql`update callback_event set claimed_until = 'infinity'`.execute(db)
  return readEvents(db)
}

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
    const results = events.map(({ id, partner_code }, index) => ({
      id,
      attempts: 0,
      callbackUrl,
      durationMs: index,
      ...outcomesOf[partner_code]![Math.floor(index / 3)]!,
    }))
    await Promise.all(results.map((result) => recordAttempt(tx, result)))
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
    for (const [attempts, outcome] of [FAILED, FAILED, DELIVERED].entries()) {
      await recordAttempt(tx, { id: event.id, callbackUrl, attempts, durationMs: 1, ...outcome })
      expect(await readEndpoints(tx)).toEqual([
        { partner_code: event.partner_code, is_failing: outcome === FAILED, is_disabled: false },
      ])
    }
  }))

test('a disabled endpoint stays disabled when an attempt that was in flight is delivered', () =>
  rolledBack(database, async (tx) => {
    const [gone, , , late] = (await addEvents(tx, 4)) as [Row, Row, Row, Row]
    expect(late.partner_code).toBe(gone.partner_code)
    for (const [{ id }, outcome] of [
      [gone, GONE],
      [late, DELIVERED],
    ] as const)
      await recordAttempt(tx, { id, callbackUrl, attempts: 0, durationMs: 1, ...outcome })
    expect(await readEndpoints(tx)).toEqual([
      { partner_code: gone.partner_code, is_failing: false, is_disabled: true },
    ])
  }))

test('an event keeps its last 20 attempts, also over a replay', () =>
  rolledBack(database, async (tx) => {
    const [event] = (await addEvents(tx, 1)) as [Row]
    await sql`update callback_event set occurred_at = clock_now() - interval '2 seconds'`.execute(tx)
    for (let attempts = 0; attempts < 25; attempts++)
      await recordAttempt(tx, { id: event.id, callbackUrl, attempts, durationMs: attempts, ...FAILED })
    await restartDeliveries(tx, [event.webhook_id], undefined, { actor: 'admin', requestId: 'request' })
    await recordAttempt(tx, { id: event.id, callbackUrl, attempts: 0, durationMs: 25, ...DELIVERED })
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
  ['the delivery was restarted', { attempts: 2 }, FAILED],
  ['another process stored an outcome first', { attempts: 0 }, FAILED],
  ['the event was delivered', { attempts: 1 }, DELIVERED],
])('an outcome is discarded if %s', (_case, { attempts }, first) =>
  rolledBack(database, async (tx) => {
    const [event] = (await addEvents(tx, 1)) as [Row]
    await recordAttempt(tx, { id: event.id, callbackUrl, attempts: 0, durationMs: 1, ...first })
    const [before, endpoints] = [await readEvents(tx), await readEndpoints(tx)]
    await recordAttempt(tx, { id: event.id, callbackUrl, attempts, durationMs: 1, ...GONE })
    await recordAttempt(tx, { id: -1, callbackUrl, attempts: 0, durationMs: 1, ...GONE })
    expect([await readEvents(tx), await readEndpoints(tx)]).toEqual([before, endpoints])
  }),
)

test('410 of a URL that was replaced since disables nothing, and the event is due at the new URL', () =>
  rolledBack(database, async (tx) => {
    const [event] = (await addEvents(tx, 1)) as [Row]
    await recordAttempt(tx, {
      id: event.id,
      callbackUrl: 'https://former.example/events',
      attempts: 0,
      durationMs: 1,
      ...GONE,
    })
    expect(await readEvents(tx)).toEqual([
      expect.objectContaining({
        status: 'PENDING',
        last_outcome: 'HTTP 410',
        is_claimed: false,
        waits_seconds: 0,
      }),
    ])
    expect(await readEndpoints(tx)).toEqual([])
  }))
