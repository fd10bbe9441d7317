import type { Schemas } from '@tiwala/contract'
import { sql } from 'kysely'
import { NOW } from '../database/clock.ts'
import type { Database } from '../database/connect.ts'
import { deleteOldRows } from '../database/delete-old-rows.ts'

export type UseKind = Schemas['UseKind']
export type NewUse = { partner_id: number; kind: UseKind; name: string }

/** A partner has at most so many names of one kind, since a client chooses some of them. */
export const MAX_NAMES = 100
const KEPT_DAYS = 365
const TODAY = sql`(${NOW} at time zone 'UTC')::date`

/**
 * Stores what was used today. A row is written at most once a day, also if several processes store the same. Two processes never
 * deadlock: the rows have a fixed order.
 */
export async function insertUse(db: Database, uses: NewUse[]): Promise<void> {
  await sql`
    with used as (
      select i.*, known.last_used_on, row_number() over (partition by i.partner_id, i.kind, known.name is null) as place,
             (select count(*) from partner_use n where n.partner_id = i.partner_id and n.kind = i.kind) as names
        from (select distinct * from json_to_recordset(${JSON.stringify(uses)}::text::json)
                as given (partner_id bigint, kind text, name text)) i
        left join partner_use known
          on known.partner_id = i.partner_id and known.kind = i.kind and known.name = i.name
       where exists (select from partner p where p.id = i.partner_id)
    )
    insert into partner_use as u (partner_id, kind, name, first_used_on, last_used_on)
    select partner_id, kind, name, ${TODAY}, ${TODAY} from used
     where last_used_on < ${TODAY} or (last_used_on is null and names + place <= ${MAX_NAMES}::int)
     order by partner_id, kind, name
    on conflict (partner_id, kind, name) do update set last_used_on = greatest(u.last_used_on, excluded.last_used_on)
  `.execute(db)
}

export type UseRow = Schemas['PartnerUse']
export type UsePosition = Pick<UseRow, 'kind' | 'name' | 'partner_code'>
type Filter = {
  partnerCode: string | undefined
  kind: UseKind | undefined
  name: string | undefined
  since: Date | undefined
}

type Column = 'partner_id' | 'kind' | 'name'

/**
 * By kind, name and partner, which never change, so that a page neither repeats nor skips a row. A page is one range of the
 * primary key or of `partner_use_name`: rows after a position, and those that the filters name first. What follows a column
 * without a filter, and `since`, only leaves rows out.
 */
export async function findUse(
  db: Database,
  { partnerCode, kind, name, since }: Filter,
  after: UsePosition | undefined,
  limit: number,
): Promise<UseRow[]> {
  const idOf = (code: string) => sql`(select id from partner where partner_code = ${code})`
  const wanted = { partner_id: partnerCode === undefined ? undefined : idOf(partnerCode), kind, name }
  const columns: Column[] =
    partnerCode === undefined ? ['kind', 'name', 'partner_id'] : ['partner_id', 'kind', 'name']
  const open = columns.findIndex((column) => wanted[column] === undefined)
  const fixed = open < 0 ? columns : columns.slice(0, open)
  const position = after && { ...after, partner_id: sql`coalesce(${idOf(after.partner_code)}, 0)` }
  const start = {
    ...(position ?? { partner_id: 0, kind: '', name: '' }),
    ...Object.fromEntries(fixed.map((column) => [column, wanted[column]])),
  }
  const row = (names: Column[], valueOf: (column: Column) => unknown) =>
    sql`(${sql.join(names.map(valueOf))})`
  const refs = (names: Column[]) => row(names, (column) => sql.ref(column))
  // With all three, there is at most one row, and none after it.
  const range =
    fixed.length === columns.length
      ? sql`${refs(columns)} = ${row(columns, (column) => wanted[column])} and ${after === undefined}`
      : sql`${refs(columns)} > ${row(columns, (column) => start[column])}`
  const conditions = [
    range,
    ...(fixed.length ? [sql`${refs(fixed)} <= ${row(fixed, (column) => wanted[column])}`] : []),
    ...(name === undefined || fixed.includes('name') ? [] : [sql`name = ${name}`]),
    ...(since === undefined ? [] : [sql`last_used_on >= (${since}::timestamptz at time zone 'UTC')::date`]),
  ]
  const { rows } = await sql<UseRow>`
    select p.partner_code, u.kind, u.name, to_char(u.first_used_on, 'YYYY-MM-DD') as first_used_on,
           to_char(u.last_used_on, 'YYYY-MM-DD') as last_used_on
      from (
        select * from partner_use where ${sql.join(conditions, sql` and `)}
         order by ${sql.join(columns.map((column) => sql.ref(column)))} limit ${limit}
      ) u cross join lateral (select * from partner where id = u.partner_id limit 1) p
     order by u.kind, u.name, u.partner_id`.execute(db)
  return rows
}

/** Deletes what was last used long ago; returns how many rows. */
export const deleteOldUse = (db: Database, limit: number): Promise<number> =>
  deleteOldRows(
    db,
    'partner_use',
    ['partner_id', 'kind', 'name'],
    sql`last_used_on < ${TODAY} - ${KEPT_DAYS}::int`,
    limit,
  )
