import { paginate } from '../../database/pagination.ts'
import type { Operation } from '../../operation.ts'
import { type ConsentRow, listConsents, type Position } from './store.ts'
import { toConsentRequest } from './wire.ts'

export const listAuthorizations: Operation<'listAuthorizations'> = async ({ db }, { caller, query }) => {
  const { rows, next_cursor } = await paginate(query, {
    locate: fromCursor,
    read: (after, limit) => listConsents(db, caller.uniqidHmacs, { state: query.state, after, limit }),
    toCursor,
  })
  return { status: 200, body: { authorizations: rows.map(toConsentRequest), next_cursor } }
}

const YEAR_10000_MS = 253_402_300_800_000

const toCursor = ({ requested_at, id }: ConsentRow) =>
  Buffer.from(`${requested_at.getTime()}.${id}`).toString('base64url')

function fromCursor(cursor: string): Position | undefined {
  const [, milliseconds, id] =
    /^(\d{1,15})\.(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (!milliseconds || !id || Number(milliseconds) >= YEAR_10000_MS) return undefined
  return { requestedAt: new Date(Number(milliseconds)), id: Number(id) }
}
