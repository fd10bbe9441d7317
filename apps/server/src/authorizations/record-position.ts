import { isStorable } from '../database/clock.ts'

/** The position of a record in a list that has the newest record first. Neither value ever changes. */
export type Position = { requestedAt: Date; id: number }

export const toCursor = ({ requested_at, id }: { requested_at: Date; id: number }): string =>
  Buffer.from(`${requested_at.getTime()}.${id}`).toString('base64url')

/** `undefined` if the cursor is not valid. */
export function fromCursor(cursor: string): Position | undefined {
  const [, milliseconds, id] =
    /^(\d{1,15})\.(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  const requestedAt = new Date(Number(milliseconds))
  return id && isStorable(requestedAt) ? { requestedAt, id: Number(id) } : undefined
}
