// The statements that deliver events, one by one.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import {
  findDueEvent,
  hasDueEvent,
  markDueEventsQueued,
  recordAttempt,
  requeue,
} from '../../src/webhooks/store.ts'
import { interleave } from '../kit/interleave.ts'
import { addPartner, addSandbox, read } from '../kit/rows.ts'
import { openDatabaseForFile } from '../kit/statement-database.ts'
import { rolledBack } from '../kit/stopped-clock.ts'

const database = await openDatabaseForFile()

type Values = {
  status?: string
  isQueued?: boolean
  attempts?: number
  nextAttemptAt?: string
  lastAttemptAt?: string
}

/** A due event. Returns its id. */
async function addEvent(
  db: Database,
  partnerId: number,
  { status = 'PENDING', isQueued = false, attempts = 0, nextAttemptAt, lastAttemptAt }: Values = {},
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into callback_event (partner_id, type, data, status, is_queued, attempts, occurred_at,
                                next_attempt_at, last_attempt_at)
    values (${partnerId}, '', '{}', ${status}, ${isQueued}, ${attempts}, clock_now() - interval '5 s',
            ${sql.raw(nextAttemptAt ?? 'clock_now()')}, ${sql.raw(lastAttemptAt ?? 'null')})
    returning id`.execute(db)
  return rows[0]!.id
}

/** The queued events of the partner. */
async function readQueued(db: Database, partnerId: number): Promise<number[]> {
  const rows = await read<{ id: number }>(
    db,
    `select id from callback_event where is_queued and partner_id = ${partnerId} order by id`,
  )
  return rows.map(({ id }) => id)
}

test('hasDueEvent, markDueEventsQueued: an event is due from its time on, if it is not queued', () =>
  rolledBack(database, async (tx) => {
    const { id: partner } = await addPartner(tx)
    await addEvent(tx, partner, { nextAttemptAt: `clock_now() + interval '1 ms'` })
    const queued = await addEvent(tx, partner, { isQueued: true })
    expect([await hasDueEvent(tx), await markDueEventsQueued(tx, 10)]).toEqual([false, []])
    expect(await readQueued(tx, partner)).toEqual([queued])
    const due = await addEvent(tx, partner)
    expect(await hasDueEvent(tx)).toBe(true)
    expect(await markDueEventsQueued(tx, 10)).toMatchObject([{ id: due }])
    expect(await readQueued(tx, partner)).toEqual([queued, due])
  }))

test('markDueEventsQueued skips an event that another process has locked', async () => {
  const due = await addEvent(database, (await addPartner(database)).id)
  const mark = (tx: Database) => markDueEventsQueued(tx, 10)
  const [first, second] = await interleave(database, { name: 'the first commits' }, mark, mark)
  expect([first, second]).toMatchObject([[{ id: due }], []])
})

describe('findDueEvent', () => {
  test('finds an event that is pending and queued, with its own partner', () =>
    rolledBack(database, async (tx) => {
      const addAt = async (callback_url: string) => (await addPartner(tx, { callback_url })).id
      const [own, other, visitor] = [await addAt('own'), await addAt('other'), await addAt('visitor')]
      await addSandbox(tx, { id: visitor })
      const find = async (partner: number, values: Values) =>
        findDueEvent(tx, { id: await addEvent(tx, partner, values), attempts: 0 })
      const due = { isQueued: true }
      const found = {
        callback_url: 'own',
        is_private: false,
        is_suspended: false,
        is_disabled: false,
        is_failing: false,
        lag_seconds: 5,
      }
      expect(await find(own, due)).toMatchObject(found)
      expect(await find(other, due)).toMatchObject({ ...found, callback_url: 'other' })
      expect(await find(visitor, due)).toMatchObject({ ...found, callback_url: 'visitor', is_private: true })
      // Only the first attempt has a lag.
      const retried = { ...due, lastAttemptAt: 'clock_now()' }
      expect(await find(own, retried)).toMatchObject({ ...found, lag_seconds: null })
      expect(await find(own, { isQueued: false })).toBeUndefined()
      expect(await find(own, { ...due, status: 'DELIVERED' })).toBeUndefined()
      expect(await find(own, { ...due, attempts: 1 })).toBeUndefined()
    }))

  test('reads whether the partner is suspended, and the state of its endpoint', () =>
    rolledBack(database, async (tx) => {
      const [{ id: suspended }, { id: disabled }, { id: failing }] = [
        await addPartner(tx),
        await addPartner(tx),
        await addPartner(tx),
      ]
      await read(tx, `update partner set status = 'SUSPENDED' where id = ${suspended}`)
      await read(
        tx,
        `insert into callback_endpoint (partner_id, disabled_at, is_failing)
         values (${disabled}, clock_now(), false), (${failing}, null, true)`,
      )
      const find = async (partner: number) =>
        findDueEvent(tx, { id: await addEvent(tx, partner, { isQueued: true }), attempts: 0 })
      const none = { is_suspended: false, is_disabled: false, is_failing: false }
      expect(await find(suspended)).toMatchObject({ ...none, is_suspended: true })
      expect(await find(disabled)).toMatchObject({ ...none, is_disabled: true })
      expect(await find(failing)).toMatchObject({ ...none, is_failing: true })
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
      const saltsOf = async (partner: number) =>
        (await findDueEvent(tx, { id: await addEvent(tx, partner, { isQueued: true }), attempts: 0 }))?.salts
      expect([await saltsOf(rotated), await saltsOf(ended)]).toEqual([['newest', 'previous'], ['only']])
    }))
})

describe('requeue', () => {
  test('changes this event, if it is pending and this attempt is due', () =>
    rolledBack(database, async (tx) => {
      const { id: partner } = await addPartner(tx)
      const event = await addEvent(tx, partner, { isQueued: true, attempts: 1 })
      const other = await addEvent(tx, partner, { isQueued: true, attempts: 1 })
      const delivered = await addEvent(tx, partner, { isQueued: true, attempts: 1, status: 'DELIVERED' })
      await requeue(tx, { id: event, attempts: 0 })
      await requeue(tx, { id: delivered, attempts: 1 })
      expect(await readQueued(tx, partner)).toEqual([event, other, delivered])
      await requeue(tx, { id: event, attempts: 1 })
      expect(await readQueued(tx, partner)).toEqual([other, delivered])
    }))

  test('does not undo what another process queues at the same time', async () => {
    const { id: partner } = await addPartner(database)
    const event = await addEvent(database, partner)
    await interleave(
      database,
      { name: 'the first commits' },
      (tx) => markDueEventsQueued(tx, 10),
      (tx) => requeue(tx, { id: event, attempts: 0 }),
    )
    expect(await readQueued(database, partner)).toEqual([event])
  })
})

test('recordAttempt stores when an event was delivered, and no such time for another outcome', () =>
  rolledBack(database, async (tx) => {
    const { id: partner } = await addPartner(tx)
    for (const status of ['DELIVERED', 'DEAD', 'PENDING'])
      await recordAttempt(tx, {
        id: await addEvent(tx, partner, { isQueued: true }),
        status,
        outcome: randomUUID(),
        nextDelaySeconds: null,
        disablesEndpoint: false,
      })
    const stored = `select status, delivered_at = clock_now() as is_delivered, is_queued
                      from callback_event where partner_id = ${partner} order by id`
    expect(await read(tx, stored)).toEqual([
      { status: 'DELIVERED', is_delivered: true, is_queued: true },
      { status: 'DEAD', is_delivered: null, is_queued: true },
      { status: 'PENDING', is_delivered: null, is_queued: false },
    ])
  }))
