// The statements that seal and verify the audit read the right events and leaves, and no others. Each test
// runs in one snapshot and rolls back, so it can choose the transaction ids of its events.
import { type Transaction, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { findEvents } from '../../src/audit/list-audit-events/list-audit-events.sql.ts'
import {
  countUnsealed,
  findLatest,
  insertCheckpoint,
  readUnsealed,
  readUnsealedSeconds,
} from '../../src/audit/sealing/sealing.sql.ts'
import { findAdded, findStrayLeaf } from '../../src/audit/verify-audit/verify-audit.sql.ts'
import { startServiceForFile } from '../kit/api-client.ts'

const { service, api } = await startServiceForFile()

const ALL = 100_000
/** No checkpoint of the service has such a number. */
const CHECKPOINT = 1_000_000
const MAX_XID = '9000000000000000000'

type Values = {
  xid?: string
  kind?: string
  partner_id?: number
  citizen_id?: number
  occurred_at?: Date | string
}
type Snapshot = {
  tx: Transaction<unknown>
  /** Transaction ids: just below the oldest running one, that one, the newest ended one, and the next one. */
  xids: { past: string; oldestRunning: string; newest: string; next: string }
  /** Adds an event, and returns its id. */
  addEvent(values?: Values): Promise<number>
  /** Adds a checkpoint with these leaves. */
  seal(number: number, ...ids: number[]): Promise<void>
}

async function inSnapshot(act: (snapshot: Snapshot) => Promise<void>): Promise<void> {
  // A transaction is running, and a newer one has ended.
  const running = await service.db.startTransaction().execute()
  await sql`select pg_current_xact_id()`.execute(running)
  await sql`select pg_current_xact_id()`.execute(service.db)
  const tx = await service.db.startTransaction().setIsolationLevel('repeatable read').execute()
  try {
    const { rows } = await sql<Snapshot['xids']>`
      select (xmin - 1)::text as past, xmin::text as "oldestRunning", (xmax - 1)::text as newest,
             xmax::text as next
        from (select pg_snapshot_xmin(s)::text::numeric as xmin, pg_snapshot_xmax(s)::text::numeric as xmax
                from pg_current_snapshot() s) snapshot`.execute(tx)
    const xids = rows[0]!
    const addEvent = async ({ xid = xids.past, kind = 'test', ...values }: Values = {}) =>
      (
        await sql<{ id: number }>`
          insert into audit_event (xid, kind, request_id, partner_id, citizen_id, occurred_at)
          values (${xid}::xid8, ${kind}, 'test', ${values.partner_id ?? null}, ${values.citizen_id ?? null},
                  ${values.occurred_at ?? sql`clock_now()`}) returning id`.execute(tx)
      ).rows[0]!.id
    const seal = (number: number, ...ids: number[]) =>
      insertCheckpoint(tx, {
        number,
        body: `body ${number}`,
        signature: '',
        salt: '',
        leaves: ids.map((id) => ({ id, hash: String(id) })),
      })
    await act({ tx, xids, addEvent, seal })
  } finally {
    await tx.rollback().execute()
    await running.rollback().execute()
  }
}

describe('readUnsealed', () => {
  test('reads the events of transactions that no running transaction can precede', () =>
    inSnapshot(async ({ tx, xids, addEvent }) => {
      const past = await addEvent({ xid: xids.past })
      await addEvent({ xid: xids.oldestRunning })
      await addEvent({ xid: xids.newest })
      const next = await addEvent({ xid: xids.next })
      const future = await addEvent({ xid: MAX_XID })
      const read = async (after?: { xid: string; id: number }) =>
        (await readUnsealed(tx, after, ALL)).filter(({ kind }) => kind === 'test').map(({ id }) => id)
      expect(await read()).toEqual([past, next, future])
      expect(await read({ xid: xids.past, id: 0 })).toEqual([past, next, future])
    }))

  test('reads the events after the position that have no leaf, each once', () =>
    inSnapshot(async ({ tx, xids: { past: xid }, addEvent, seal }) => {
      const [before, position, sealed, unsealed] = [
        await addEvent(),
        await addEvent(),
        await addEvent(),
        await addEvent(),
      ]
      await seal(CHECKPOINT, sealed)
      const read = async (after?: { xid: string; id: number }) =>
        (await readUnsealed(tx, after, ALL)).filter(({ kind }) => kind === 'test').map(({ id }) => id)
      expect(await read()).toEqual([before, position, unsealed])
      expect(await read({ xid, id: position })).toEqual([unsealed])
    }))

  test('names the partner of an event', () =>
    inSnapshot(async ({ tx, xids, addEvent }) => {
      const { rows } = await sql<{ id: number }>`select id from partner order by id limit 1`.execute(tx)
      const expected = [
        { id: await addEvent({ partner_id: rows[0]!.id }), partner_code: api.partner.partner_code },
        { id: await addEvent(), partner_code: null },
      ]
      for (const after of [undefined, { xid: xids.past, id: 0 }]) {
        const events = (await readUnsealed(tx, after, ALL)).filter(({ kind }) => kind === 'test')
        expect(events.map(({ id, partner_code }) => ({ id, partner_code }))).toEqual(expected)
      }
    }))
})

test('countUnsealed counts the events after the position that have no leaf, also of running ones', () =>
  inSnapshot(async ({ tx, xids, addEvent, seal }) => {
    const before = await countUnsealed(tx, null, ALL)
    const position = { xid: xids.past, id: await addEvent() }
    const beforePosition = await countUnsealed(tx, position, ALL)
    await addEvent({ xid: '3' })
    await addEvent({ xid: xids.newest })
    await addEvent()
    await seal(CHECKPOINT, await addEvent())
    expect((await countUnsealed(tx, null, ALL)) - before).toBe(4)
    expect((await countUnsealed(tx, position, ALL)) - beforePosition).toBe(2)
    // It does not count the event at the position.
    expect(await countUnsealed(tx, { ...position, id: position.id - 1 }, ALL)).toBe(beforePosition + 3)
    expect(await countUnsealed(tx, null, 2)).toBe(2)
  }))

describe('findLatest', () => {
  test('returns the newest checkpoint and the event of its last leaf', () =>
    inSnapshot(async ({ tx, xids, addEvent, seal }) => {
      const ids = [await addEvent(), await addEvent(), await addEvent(), await addEvent()] as const
      await seal(CHECKPOINT + 1, ids[2], ids[1])
      await seal(CHECKPOINT, ids[0], ids[3])
      expect(await findLatest(tx)).toMatchObject({
        body: `body ${CHECKPOINT + 1}`,
        sealed_until: { xid: xids.past, id: ids[1] },
      })
    }))

  test('returns no position if this PostgreSQL has not reached its transaction id', () =>
    inSnapshot(async ({ tx, xids, addEvent, seal }) => {
      const positionOf = async (checkpoint: number, xid: string) => {
        await seal(checkpoint, await addEvent({ xid }))
        return (await findLatest(tx))!.sealed_until
      }
      expect(await positionOf(CHECKPOINT, xids.newest)).toMatchObject({ xid: xids.newest })
      expect(await positionOf(CHECKPOINT + 1, xids.next)).toBeNull()
      expect(await positionOf(CHECKPOINT + 2, MAX_XID)).toBeNull()
    }))
})

test('readUnsealedSeconds returns the age of the first event without a leaf, wherever leaves end', () =>
  inSnapshot(async ({ tx, xids, addEvent, seal }) => {
    const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000)
    const hours = async () => Math.round((await readUnsealedSeconds(tx)) / 3_600)
    // These precede every other event.
    await seal(CHECKPOINT, await addEvent({ xid: '3', occurred_at: ago(9) }))
    await addEvent({ xid: '4', occurred_at: ago(7) })
    await seal(CHECKPOINT + 1, await addEvent({ xid: MAX_XID, occurred_at: ago(5) }))
    expect(await hours()).toBe(7)
    const last = await addEvent({ xid: xids.past, occurred_at: ago(3) })
    await addEvent({ xid: xids.past, occurred_at: ago(2) })
    await seal(CHECKPOINT + 2, last)
    expect(await hours()).toBe(2)
  }))

test('findEvents includes the time `from`, and excludes the time `to` and the event `before`', () =>
  inSnapshot(async ({ tx, addEvent }) => {
    const [from, to] = [new Date('2001-01-01T00:00:00Z'), new Date('2001-01-02T00:00:00Z')]
    await addEvent({ occurred_at: '2000-12-31T23:59:59.999Z' })
    const first = await addEvent({ occurred_at: from })
    const last = await addEvent({ occurred_at: '2001-01-01T23:59:59.999Z' })
    await addEvent({ occurred_at: to })
    const find = async (before?: number) =>
      (await findEvents(tx, { from, to }, before, ALL)).map(({ id }) => id)
    expect(await find()).toEqual([last, first])
    expect(await find(last)).toEqual([first])
  }))

test('findAdded returns the first event without a leaf between two positions', () =>
  inSnapshot(async ({ tx, xids, addEvent, seal }) => {
    const [before, sealed, added] = [await addEvent(), await addEvent(), await addEvent()]
    await seal(CHECKPOINT, sealed)
    const find = async (after: number, until: number, untilXid = xids.past) =>
      (await findAdded(tx, { xid: xids.past, id: after }, { xid: untilXid, id: until }))?.id
    expect(await find(before - 1, added)).toBe(before)
    expect(await find(before, added)).toBe(added)
    expect(await find(before, added - 1)).toBeUndefined()
    expect(await find(added, added + 1)).toBeUndefined()
    expect(await find(before, 0, xids.newest)).toBe(added)
    // If this PostgreSQL has not reached the last transaction id, the order is unknown.
    expect(await find(before, 0, xids.next)).toBeUndefined()
    expect(await find(before, 0, MAX_XID)).toBeUndefined()
  }))

test('findStrayLeaf returns the first leaf after a checkpoint whose checkpoint does not exist', () =>
  inSnapshot(async ({ tx, addEvent, seal }) => {
    const [first, second] = [await addEvent(), await addEvent()]
    await sql`insert into audit_leaf values (${CHECKPOINT}, 0, ${first}, ''),
      (${CHECKPOINT + 2}, 0, ${second}, '')`.execute(tx)
    await seal(CHECKPOINT + 1, await addEvent())
    await seal(CHECKPOINT + 3, await addEvent())
    const find = async (after: number) => (await findStrayLeaf(tx, after))?.checkpoint
    expect(await find(CHECKPOINT - 1)).toBe(CHECKPOINT)
    expect(await find(CHECKPOINT)).toBe(CHECKPOINT + 2)
    expect(await find(CHECKPOINT + 2)).toBeUndefined()
  }))
