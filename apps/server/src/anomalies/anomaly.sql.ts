import { sql } from 'kysely'
import { actorName } from '../audit/actor-name.sql.ts'
import { type AdminAction, insertAdminAudit } from '../audit/insert-audit.sql.ts'
import { NOW } from '../database/clock.ts'
import type { Database } from '../database/connect.ts'
import { deleteOldRows } from '../database/delete-old-rows.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { filterByPartner, MAX_ID, rangeOf } from '../database/pagination.ts'
import type { PartnerWriter } from '../partners/partner-cache.ts'
import { updateSlowed } from '../partners/status/slowed.sql.ts'
import type { AnomalyAction, AnomalyKind, AnomalyRow, Breach } from './anomaly.ts'

const COLUMNS = sql`a.id, a.anomaly_id, p.partner_code, p.name as partner_name, a.kind, a.began_at, a.ended_at, a.expected,
  a.threshold, a.observed, a.address_ranges, a.action, a.acknowledged_by,
  ${actorName(sql`a.acknowledged_by`)} as acknowledged_by_name, a.acknowledged_at,
  a.acknowledged_reason`

export type NewAnomaly = Breach & { anomaly_id: string; action: AnomalyAction | null }

/**
 * Makes the open anomalies those of `found`; returns those that began now.
 *
 * - `ended`: open ones that were not found. `not in` uses a hash; `not exists` would compare each open one with all found ones.
 * - `stored`: open ones that go on, with their highest measure, and the new ones (`xmax` is 0). `on conflict` searches for each in the
 *   index; a join would compare each found one with all open ones until the table is analyzed.
 */
export async function storeAnomalies(tx: Database, found: NewAnomaly[]): Promise<AnomalyRow[]> {
  const { rows } = await sql<AnomalyRow>`
    with found as (
      select * from json_to_recordset(${JSON.stringify(found)}::text::json)
               as i (anomaly_id text, partner_id bigint, kind text, expected int, threshold int, observed int,
                     address_ranges text[], action text)
    ), ended as (
      update anomaly a set ended_at = clock_now()
       where a.ended_at is null and (a.partner_id, a.kind) not in (select partner_id, kind from found)
    ), stored as (
      insert into anomaly as a (anomaly_id, partner_id, kind, expected, threshold, observed, address_ranges, action)
      select anomaly_id, partner_id, kind, expected, threshold, observed, address_ranges, action from found
      on conflict (partner_id, kind) where ended_at is null do update
         set observed = greatest(a.observed, excluded.observed), address_ranges = excluded.address_ranges
      returning a.*, a.xmax = 0 as is_new
    )
    select ${COLUMNS} from stored a cross join lateral (select * from partner where id = a.partner_id limit 1) p
     where a.is_new order by a.id`.execute(tx)
  return rows
}

export type AnomalyFilter = {
  partnerCode: string | undefined
  kind: AnomalyKind | undefined
  open: boolean | undefined
}

/** Newest first. */
export async function findAnomalies(
  db: Database,
  { partnerCode, kind, open }: AnomalyFilter,
  before = MAX_ID,
  limit: number,
): Promise<AnomalyRow[]> {
  const { rows } = await sql<AnomalyRow>`
    select ${COLUMNS} from anomaly a join partner p on p.id = a.partner_id
     where (${kind ?? null}::text is null or a.kind = ${kind ?? null})
       and ${open === undefined ? sql`true` : open ? sql`a.ended_at is null` : sql`a.ended_at is not null`}
       and ${rangeOf(filterByPartner('a.partner_id', partnerCode), [['a.id', before]])}
     limit ${limit}`.execute(db)
  return rows
}

/**
 * Ends the alarm of an anomaly, and the action `slow`. An anomaly that is acknowledged already stays as it is. `undefined`:
 * there is no such anomaly.
 */
export async function acknowledge(
  { db, partnerCache }: PartnerWriter,
  anomalyId: string,
  action: AdminAction & { actor: string },
): Promise<AnomalyRow | undefined> {
  const row = await inTransaction(db, async (tx) => {
    await sql`
      with a as (
        update anomaly set acknowledged_by = ${action.actor}, acknowledged_at = clock_now(),
                           acknowledged_reason = ${action.reason ?? null}
         where anomaly_id = ${anomalyId} and acknowledged_at is null returning partner_id
      ) ${insertAdminAudit({ ...action, from: 'a', partner: 'partner_id' })}`.execute(tx)
    await updateSlowed(tx)
    const { rows } = await sql<AnomalyRow>`
      select ${COLUMNS} from anomaly a join partner p on p.id = a.partner_id where a.anomaly_id = ${anomalyId}`.execute(
      tx,
    )
    return rows[0]
  })
  partnerCache.invalidate()
  return row
}

/** The open anomalies that no administrator has acknowledged. */
export async function findAlarms(db: Database): Promise<{ partner_code: string; kind: AnomalyKind }[]> {
  const { rows } = await sql<{ partner_code: string; kind: AnomalyKind }>`
    select p.partner_code, a.kind from anomaly a join partner p on p.id = a.partner_id
     where a.ended_at is null and a.acknowledged_at is null`.execute(db)
  return rows
}

export const deleteOldAnomalies = (db: Database, days: number, limit: number): Promise<number> =>
  deleteOldRows(db, 'anomaly', ['id'], sql`ended_at < ${NOW} - make_interval(days => ${days})`, limit)
