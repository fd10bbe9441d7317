// Which events a delivery worker claims, and what it reads for an attempt.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { type Claim, claimEvents } from '../../src/webhooks/claim-events.sql.ts'
import { interleave } from '../kit/interleave.ts'
import { addPartner, read } from '../kit/rows.ts'
import { openDatabaseForFile } from '../kit/statement-database.ts'
import { rolledBack } from '../kit/stopped-clock.ts'

const database = await openDatabaseForFile()

type Values = {
  status?: string
  nextAttemptAt?: string
  lastAttemptAt?: string
  claimedUntil?: string
}

/** A due event that occurred 5 seconds ago. Returns its id. */
async function addEvent(
  db: Database,
  partnerId: number,
  { status = 'PENDING', nextAttemptAt = 'clock_now()', lastAttemptAt, claimedUntil }: Values = {},
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into callback_event (partner_id, type, data, status, occurred_at,
                                next_attempt_at, last_attempt_at, claimed_until)
    values (${partnerId}, '', '{}', ${status}, clock_now() - interval '5 s', ${sql.raw(nextAttemptAt)},
            ${sql.raw(lastAttemptAt ?? 'null')}, ${sql.raw(claimedUntil ?? 'null')})
    returning id`.execute(db)
  return rows[0]!.id
}

/** Adds so many due events. Returns their ids. */
async function addEvents(db: Database, partnerId: number, count: number): Promise<number[]> {
  const ids: number[] = []
  for (let added = 0; added < count; added++) ids.push(await addEvent(db, partnerId))
  return ids
}

const ANY: Claim = { isFailing: false, afterPartnerId: 0, limit: 10, perPartner: 10, remaining: new Map() }
const claim = async (db: Database, options: Partial<Claim> = {}) =>
  (await claimEvents(db, { ...ANY, ...options })).map(({ id }) => id)
const addPartners = (db: Database) => Promise.all([addPartner(db), addPartner(db)])

test('an event is claimed if it is due, pending and not claimed already', () =>
  rolledBack(database, async (tx) => {
    const [{ id: own }, { id: other }] = await addPartners(tx)
    await addEvent(tx, own, { nextAttemptAt: `clock_now() + interval '1 ms'` })
    await addEvent(tx, own, { claimedUntil: `clock_timestamp() + interval '1 s'` })
    for (const status of ['DELIVERED', 'DEAD']) await addEvent(tx, own, { status })
    expect(await claim(tx)).toEqual([])
    const due = [
      await addEvent(tx, own),
      await addEvent(tx, own, { claimedUntil: `clock_timestamp() - interval '1 ms'` }),
      await addEvent(tx, other),
    ]
    expect(await claim(tx)).toEqual(due)
    expect(await claim(tx)).toEqual([])
    expect(
      await read(
        tx,
        `select id, extract(epoch from claimed_until - clock_timestamp()) between 29 and 30 as is_leased
           from callback_event where id in (${due.join()}) order by id`,
      ),
    ).toEqual(due.map((id) => ({ id, is_leased: true })))
  }))

test('the clock of the sandbox does not end a claim', () =>
  rolledBack(database, async (tx) => {
    await addEvent(tx, (await addPartner(tx)).id)
    expect(await claim(tx)).toHaveLength(1)
    await read(
      tx,
      `create or replace function clock_now() returns timestamptz language sql as
         $$ select clock_timestamp() + interval '1 day' $$`,
    )
    expect(await claim(tx)).toEqual([])
  }))

test('two processes claim different events', async () => {
  const { id: partner } = await addPartner(database)
  const due = await addEvents(database, partner, 2)
  const claimOne = (tx: Database) => claim(tx, { limit: 1 })
  for (const name of ['the first commits', 'the first rolls back']) {
    await sql`update callback_event set claimed_until = null`.execute(database)
    const [first, second] = await interleave(database, { name }, claimOne, claimOne)
    expect([...first, ...second]).toEqual(due)
  }
  await sql`delete from callback_event`.execute(database)
})

test('each partner has a limit, the oldest events come first, and the next claim continues', () =>
  rolledBack(database, async (tx) => {
    const [{ id: first }, { id: second }] = await addPartners(tx)
    const partners = [first, second].toSorted((a, b) => a - b) as [number, number]
    const late = await addEvent(tx, partners[0])
    const early = await addEvent(tx, partners[0], { nextAttemptAt: `clock_now() - interval '1 s'` })
    const others = await addEvents(tx, partners[1], 3)
    const remaining = new Map([[partners[1], 0]])
    expect(await claim(tx, { perPartner: 1, remaining })).toEqual([early])
    remaining.set(partners[1], 2)
    expect(await claim(tx, { perPartner: 0, remaining })).toEqual(others.slice(0, 2))
    expect(await claim(tx, { afterPartnerId: partners[0] })).toEqual(others.slice(2))
    expect(await claim(tx)).toEqual([late])
  }))

test('events of failing endpoints are claimed apart from the others', () =>
  rolledBack(database, async (tx) => {
    const [{ id: failing }, { id: repaired }, { id: silent }] = [
      await addPartner(tx),
      await addPartner(tx),
      await addPartner(tx),
    ]
    await read(
      tx,
      `insert into callback_endpoint (partner_id, is_failing) values (${failing}, true), (${repaired}, false)`,
    )
    const [ofFailing, ...others] = [
      await addEvent(tx, failing),
      await addEvent(tx, repaired),
      await addEvent(tx, silent),
    ]
    expect(await claim(tx)).toEqual(others)
    expect(await claim(tx, { isFailing: true })).toEqual([ofFailing])
  }))

test('a claim reads neither the other due events of a partner nor finished events', async () => {
  const [{ id: busy }, { id: quiet }] = [await addPartner(database), await addPartner(database)]
  await sql`
    insert into callback_event (partner_id, type, data, status, next_attempt_at)
    select ${busy}, '', '{}', case when n % 2 = 0 then 'PENDING' else 'DELIVERED' end, clock_now()
      from generate_series(1, 10000) n`.execute(database)
  await addEvent(database, quiet)
  const readEntries = async (tx: Database) =>
    (
      await read<{ entries: number }>(
        tx,
        `select (pg_stat_get_xact_tuples_returned('callback_event'::regclass)
                 + (select sum(pg_stat_get_xact_tuples_returned(indexrelid)) from pg_index
                     where indrelid = 'callback_event'::regclass))::int as entries`,
      )
    )[0]!.entries
  const tx = await database.startTransaction().execute()
  await claim(tx, { perPartner: 2 })
  const entries = await readEntries(tx)
  expect(await claim(tx, { perPartner: 2 })).toHaveLength(2)
  expect((await readEntries(tx)) - entries).toBeLessThan(50)
  await tx.rollback().execute()
  await sql`delete from callback_event`.execute(database)
})

describe('what an attempt needs', () => {
  const claimOf = async (tx: Database, partner: number, values: Values = {}) => {
    const id = await addEvent(tx, partner, values)
    const events = await claimEvents(tx, ANY)
    return events.find((event) => event.id === id)
  }

  test('its own partner, and the lag of a first attempt', () =>
    rolledBack(database, async (tx) => {
      const addAt = async (callback_url: string) => (await addPartner(tx, { callback_url })).id
      const [own, other] = [await addAt('own'), await addAt('other')]
      const claimed = {
        attempts: 0,
        callback_url: 'own',
        is_suspended: false,
        is_disabled: false,
        lag_seconds: 5,
      }
      expect(await claimOf(tx, own)).toMatchObject(claimed)
      expect(await claimOf(tx, other)).toMatchObject({ ...claimed, callback_url: 'other' })
      expect(await claimOf(tx, own, { lastAttemptAt: 'clock_now()' })).toMatchObject({
        ...claimed,
        lag_seconds: null,
      })
    }))

  test('whether the partner is suspended, and its endpoint disabled', () =>
    rolledBack(database, async (tx) => {
      const [{ id: suspended }, { id: disabled }] = [await addPartner(tx), await addPartner(tx)]
      await read(tx, `update partner set status = 'SUSPENDED' where id = ${suspended}`)
      await read(
        tx,
        `insert into callback_endpoint (partner_id, disabled_at) values (${disabled}, clock_now())`,
      )
      expect(await claimOf(tx, suspended)).toMatchObject({ is_suspended: true, is_disabled: false })
      expect(await claimOf(tx, disabled)).toMatchObject({ is_suspended: false, is_disabled: true })
    }))

  test('the newest secret signs, and until its grace period ends the previous one', () =>
    rolledBack(database, async (tx) => {
      const [{ id: rotated }, { id: ended }] = [await addPartner(tx), await addPartner(tx)]
      await read(
        tx,
        `insert into webhook_secret (partner_id, salt, previous_until)
         values (${rotated}, 'oldest', null), (${rotated}, 'previous', null),
                (${rotated}, 'newest', clock_now() + interval '1 ms'),
                (${ended}, 'ended', null), (${ended}, 'only', clock_now())`,
      )
      expect((await claimOf(tx, rotated))?.salts).toEqual(['newest', 'previous'])
      expect((await claimOf(tx, ended))?.salts).toEqual(['only'])
    }))
})
