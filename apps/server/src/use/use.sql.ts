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

const KINDS = Object.keys({
  client: true,
  field: true,
  media_type: true,
  operation: true,
  scope: true,
} satisfies Record<UseKind, true>)

type Column = 'last_used_on' | 'partner_id' | 'kind' | 'name'

const dayOf = (time: Date) => sql`(${time}::timestamptz at time zone 'UTC')::date`

/**
 * By kind, name and partner, which never change, so that a page neither repeats nor skips a row. A page merges ranges of the
 * primary key, of `partner_use_name` or of `partner_use_last`: rows after a position, and those that the filters name first. A
 * name without a kind is a range of each kind, and `since` one of each day since then, at most a year. Of a single partner, `since`
 * only leaves rows out: it has at most `MAX_NAMES` of each kind.
 */
export async function findUse(
  db: Database,
  { partnerCode, kind, name, since }: Filter,
  after: UsePosition | undefined,
  limit: number,
): Promise<UseRow[]> {
  const idOf = (code: string) => sql`(select id from partner where partner_code = ${code})`
  const kinds = kind !== undefined ? [kind] : name !== undefined ? KINDS : [null]
  const isByDay = since !== undefined && partnerCode === undefined
  const wanted: Partial<Record<Column, unknown>> = {
    ...(partnerCode !== undefined && { partner_id: idOf(partnerCode) }),
    ...(kinds[0] !== null && { kind: sql`wanted_kind` }),
    ...(name !== undefined && { name }),
    ...(isByDay && { last_used_on: sql`wanted_day` }),
  }
  const order: Column[] =
    partnerCode === undefined ? ['kind', 'name', 'partner_id'] : ['partner_id', 'kind', 'name']
  const columns: Column[] = isByDay ? ['last_used_on', ...order] : order
  const open = columns.findIndex((column) => wanted[column] === undefined)
  const fixed = open < 0 ? columns : columns.slice(0, open)
  const isRow = fixed.length === columns.length
  // The kinds before that of the position are complete, and the next one begins with its first partner.
  const left = kinds.filter(
    (each) => !after || each === null || (isRow ? each > after.kind : each >= after.kind),
  )
  const lastId = after && sql`coalesce(${idOf(after.partner_code)}, 0)`
  const start = {
    kind: after?.kind ?? '',
    name: after?.name ?? '',
    partner_id: after ? sql`case when wanted_kind > ${after.kind} then 0 else ${lastId} end` : 0,
    ...wanted,
  } as Record<Column, unknown>
  const row = (names: Column[], valueOf: (column: Column) => unknown) =>
    sql`(${sql.join(names.map(valueOf))})`
  const refs = (names: Column[]) => row(names, (column) => sql.ref(column))
  const conditions = [
    isRow
      ? sql`${refs(columns)} = ${row(columns, (column) => wanted[column])}`
      : sql`${refs(columns)} > ${row(columns, (column) => start[column])}`,
    ...(fixed.length ? [sql`${refs(fixed)} <= ${row(fixed, (column) => wanted[column])}`] : []),
    ...(since === undefined || isByDay ? [] : [sql`last_used_on >= ${dayOf(since)}`]),
  ]
  const days = isByDay
    ? sql`select ${TODAY} - n as wanted_day from generate_series(0, least(${TODAY} - ${dayOf(since)}, ${KEPT_DAYS}::int)) n`
    : sql`select`
  const sortedBy = (names: Column[]) => sql.join(names.map((column) => sql.ref(column)))
  const { rows } = await sql<UseRow>`
    select p.partner_code, p.name as partner_name, u.kind, u.name,
           to_char(u.first_used_on, 'YYYY-MM-DD') as first_used_on, to_char(u.last_used_on, 'YYYY-MM-DD') as last_used_on
      from (
        select u.* from unnest(${left}::text[]) wanted_kind cross join (${days}) days cross join lateral (
          select * from partner_use where ${sql.join(conditions, sql` and `)}
           order by ${sortedBy(columns)} limit ${limit}
        ) u order by ${sortedBy(order)} limit ${limit}
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
