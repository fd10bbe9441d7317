import { type RawBuilder, sql } from 'kysely'
import { Failure } from '../failure.ts'

type PageQuery = { limit?: number | undefined; cursor?: string | undefined }

type List<Row, Position> = {
  /** The position of a cursor in the list; `undefined` if the cursor is not valid. */
  locate: (cursor: string) => Promise<Position | undefined> | Position | undefined
  /** The rows after a position, or from the start of the list. */
  read: (after: Position | undefined, limit: number) => Promise<Row[]>
  toCursor: (row: Row) => string
}

export const invalidCursor = () =>
  new Failure('validation_failed', { errors: { cursor: ['is not a valid next_cursor'] } })

/** A page of a list. It reads one row more than the page has, to see whether there is a next page. */
export async function paginate<Row, Position>(
  { limit = 20, cursor }: PageQuery,
  { locate, read, toCursor }: List<Row, Position>,
): Promise<{ rows: Row[]; next_cursor: string | null }> {
  const after = cursor === undefined ? undefined : await locate(cursor)
  if (cursor !== undefined && after === undefined) throw invalidCursor()
  const readRows = await read(after, limit + 1)
  const rows = readRows.slice(0, limit)
  return { rows, next_cursor: readRows.length > limit ? toCursor(rows.at(-1)!) : null }
}

/**
 * The cursor of events and checkpoints: the id or number at which a page ends. A tampered id may be negative.
 */
export function locateNumber(cursor: string): number | undefined {
  const number = /^-?\d{1,16}$/.test(cursor) ? Number(cursor) : NaN
  return Number.isSafeInteger(number) ? number : undefined
}

/** Above every id. A first page begins there, so that the position is always a condition of the index. */
export const MAX_ID = Number.MAX_SAFE_INTEGER

type Bound = [column: string, value: unknown]

/**
 * The condition and the order of a page, newest first, as one range of the index on `filters` and `position`: the rows
 * before `position`, and from `from` on. Both name the columns after those of the filters.
 *
 * A filter is a range, too, and not `kind = $1`. PostgreSQL would know then that it is constant, and could take another index
 * in the order of `position` and read all rows of other kinds.
 */
export function rangeOf(filters: Bound[], position: Bound[], from: Bound[] = []): RawBuilder<unknown> {
  const row = (bounds: Bound[], part: (bound: Bound) => unknown) => sql`(${sql.join(bounds.map(part))})`
  const compare = (operator: string, bounds: Bound[]) =>
    sql`${row(bounds, ([column]) => sql.ref(column))} ${sql.raw(operator)} ${row(bounds, ([, value]) => value)}`
  const [upper, lower] = [
    [...filters, ...position],
    [...filters, ...from],
  ]
  return sql`${compare('<', upper)} and ${lower.length ? compare('>=', lower) : sql`true`}
     order by ${sql.join(upper.map(([column]) => sql`${sql.ref(column)} desc`))}`
}

/** A filter, if its value is given. */
export const filterBy = (column: string, value: unknown): Bound[] =>
  value === undefined ? [] : [[column, value]]

/** The filter by a partner, if its code is given. */
export const filterByPartner = (column: string, partnerCode: string | undefined): Bound[] =>
  partnerCode === undefined
    ? []
    : [[column, sql`(select id from partner where partner_code = ${partnerCode})`]]
