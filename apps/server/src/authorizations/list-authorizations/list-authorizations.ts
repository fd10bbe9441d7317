import { isStorable } from '../../database/clock.ts'
import { paginate } from '../../database/pagination.ts'
import type { Operation } from '../../operation.ts'
import type { ConsentRow } from '../consent.sql.ts'
import { toConsentRequest } from '../consent.ts'
import { listConsents, type Position } from './list-authorizations.sql.ts'

export const listAuthorizations: Operation<'listAuthorizations'> = async ({ db }, { caller, query }) => {
  const { rows, next_cursor } = await paginate(query, {
    locate: fromCursor,
    read: (after, limit) => listConsents(db, caller.uniqidHmacs, { state: query.state, after, limit }),
    toCursor,
  })
  return { status: 200, body: { authorizations: rows.map(toConsentRequest), next_cursor } }
}

const toCursor = ({ requested_at, id }: ConsentRow) =>
  Buffer.from(`${requested_at.getTime()}.${id}`).toString('base64url')

function fromCursor(cursor: string): Position | undefined {
  const [, milliseconds, id] =
    /^(\d{1,15})\.(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  const requestedAt = new Date(Number(milliseconds))
  return id && isStorable(requestedAt) ? { requestedAt, id: Number(id) } : undefined
}
