import { Failure } from '../failure.ts'

type Asked = { limit?: number | undefined; cursor?: string | undefined }

type List<Row, Position> = {
  /** Where a cursor stands in the list; `undefined`: it is none of ours. */
  locate: (cursor: string) => Promise<Position | undefined> | Position | undefined
  /** The rows behind a position, or from the beginning. */
  read: (after: Position | undefined, limit: number) => Promise<Row[]>
  toCursor: (row: Row) => string
}

/** A page of a list. One row more than it holds is read: so the last page is known to be the last. */
export async function paginate<Row, Position>(
  { limit = 20, cursor }: Asked,
  { locate, read, toCursor }: List<Row, Position>,
): Promise<{ rows: Row[]; next_cursor: string | null }> {
  const after = cursor === undefined ? undefined : await locate(cursor)
  if (cursor !== undefined && after === undefined)
    throw new Failure('validation_failed', { errors: { cursor: ['is not a next_cursor of ours'] } })
  const found = await read(after, limit + 1)
  const rows = found.slice(0, limit)
  return { rows, next_cursor: found.length > limit ? toCursor(rows.at(-1)!) : null }
}

/** The id or number at which a page of events or checkpoints ends. A tampered id may be negative. */
export function locateNumber(cursor: string): number | undefined {
  const number = /^-?\d{1,16}$/.test(cursor) ? Number(cursor) : NaN
  return Number.isSafeInteger(number) ? number : undefined
}
