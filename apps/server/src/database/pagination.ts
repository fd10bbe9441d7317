import { Failure } from '../failure.ts'

type PageQuery = { limit?: number | undefined; cursor?: string | undefined }

type List<Row, Position> = {
  /** The position of a cursor in the list; `undefined` if the cursor is not valid. */
  locate: (cursor: string) => Promise<Position | undefined> | Position | undefined
  /** The rows after a position, or from the start of the list. */
  read: (after: Position | undefined, limit: number) => Promise<Row[]>
  toCursor: (row: Row) => string
}

/** A page of a list. It reads one row more than the page has, to see whether there is a next page. */
export async function paginate<Row, Position>(
  { limit = 20, cursor }: PageQuery,
  { locate, read, toCursor }: List<Row, Position>,
): Promise<{ rows: Row[]; next_cursor: string | null }> {
  const after = cursor === undefined ? undefined : await locate(cursor)
  if (cursor !== undefined && after === undefined)
    throw new Failure('validation_failed', { errors: { cursor: ['is not a valid next_cursor'] } })
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
