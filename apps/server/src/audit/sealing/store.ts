import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { SignedCheckpoint } from '../checkpoint.ts'
import type { SealableRow } from '../leaf.ts'

/** Of an event `e` and its partner `p`. */
export const SEALABLE =
  sql.raw(`e.id, e.xid::text as xid, to_char(e.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as occurred_at,
  e.kind, e.partner_id, p.partner_code, e.citizen_id, e.tracking_no, e.request_id, e.actor, e.detail`)

/** Any number that nobody else locks. */
const SEALING = 7_410_201
const LONGEST_PASS_MS = '60000'

/**
 * False: another process is sealing. Held until the transaction ends. Until then events are read in the order of their index, since whatever
 * sorts them goes through all that wait for each page.
 */
export async function lockSealing(tx: Database): Promise<boolean> {
  const { rows } = await sql<{ is_ours: boolean }>`
    select pg_try_advisory_xact_lock(${sql.lit(SEALING)}) as is_ours, set_config('statement_timeout', ${LONGEST_PASS_MS}, true),
           set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`.execute(tx)
  return rows[0]!.is_ours
}

export type Place = Pick<SealableRow, 'xid' | 'id'>
export type Latest = SignedCheckpoint & { sealed_until: Place | null }

/**
 * The newest checkpoint, and the event up to which all are sealed. A database that was restored into another PostgreSQL may hold
 * transactions from the future: then nothing is said of it, and the whole table is looked through.
 */
export async function findLatest(db: Database): Promise<Latest | undefined> {
  const { rows } = await sql<SignedCheckpoint & { xid: string | null; id: number | null }>`
    select c.body, c.signature, e.xid::text as xid, e.id
      from (select body, signature from audit_checkpoint order by number desc limit 1) c
      left join lateral (
        select e.xid, e.id from audit_leaf l join audit_event e on e.id = l.event_id order by l.checkpoint desc, l.position desc limit 1
      ) e on e.xid < pg_snapshot_xmax(pg_current_snapshot())`.execute(db)
  const [row] = rows
  return (
    row && {
      body: row.body,
      signature: row.signature,
      sealed_until: row.xid === null || row.id === null ? null : { xid: row.xid, id: row.id },
    }
  )
}

/** Events behind a place that have no leaf. The subquery is asked for each of them, however many leaves there are. */
const unsealed = (after: Place | null | undefined): RawBuilder<unknown> => sql`
      (${after ? sql`(e.xid, e.id) > (${after.xid}::xid8, ${after.id}::bigint)` : sql`true`})
       and (select true from audit_leaf l where l.event_id = e.id) is null`

/**
 * The events to be sealed next. Below the oldest transaction that is still running, no other row can appear any more: whoever
 * commits later comes later. A transaction from the future is another PostgreSQL's, and long over.
 */
export async function readUnsealed(tx: Database, after: Place | null | undefined, limit: number): Promise<SealableRow[]> {
  const { rows } = await sql<SealableRow>`
    select ${SEALABLE} from audit_event e left join partner p on p.id = e.partner_id
     where ${unsealed(after)}
       and (e.xid < pg_snapshot_xmin(pg_current_snapshot()) or e.xid >= pg_snapshot_xmax(pg_current_snapshot()))
     order by e.xid, e.id limit ${limit}`.execute(tx)
  return rows
}

/** Those that are being written count, too. */
export async function countUnsealed(db: Database, after: Place | null | undefined, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select from audit_event e where ${unsealed(after)} limit ${most}) waiting`.execute(db)
  return rows[0]!.count
}

type NewCheckpoint = SignedCheckpoint & { number: number; salt: string; leaves: { id: number; hash: string }[] }

/** An array of what holds no comma. The driver would look into each for what to escape, while requests wait. */
const joined = (elements: (number | string)[]) => sql`string_to_array(${elements.join()}, ',')`

export async function insertCheckpoint(tx: Database, { number, body, signature, salt, leaves }: NewCheckpoint): Promise<void> {
  await sql`
    with c as (
      insert into audit_checkpoint (number, body, signature, salt) values (${number}, ${body}, ${signature}, ${salt})
    )
    insert into audit_leaf (checkpoint, position, event_id, hash)
    select ${number}::bigint, leaf.place - 1, leaf.event_id, leaf.hash
      from unnest(${joined(leaves.map(({ id }) => id))}::bigint[], ${joined(leaves.map(({ hash }) => hash))})
           with ordinality as leaf (event_id, hash, place)`.execute(tx)
}
