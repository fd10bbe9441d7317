import { paginate } from '../../database/pagination.ts'
import type { Operation } from '../../operation.ts'
import { toConsentRequest } from '../consent.ts'
import { fromCursor, toCursor } from '../record-position.ts'
import { listConsents } from './list-authorizations.sql.ts'

export const listAuthorizations: Operation<'listAuthorizations'> = async ({ db }, { caller, query }) => {
  const { rows, next_cursor } = await paginate(query, {
    locate: fromCursor,
    read: (after, limit) => listConsents(db, caller.uniqidHmacs, { state: query.state, after, limit }),
    toCursor,
  })
  return { status: 200, body: { authorizations: rows.map(toConsentRequest), next_cursor } }
}
