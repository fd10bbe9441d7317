import { Failure } from '../../http/failure.ts'
import type { Operation } from '../../operation.ts'
import { listConsents, type Position } from './store.ts'
import { toConsentRequest } from './wire.ts'

export const listAuthorizations: Operation<'listAuthorizations'> = async ({ db }, { caller, query }) => {
  const limit = query.limit ?? 20
  const after = query.cursor === undefined ? undefined : fromCursor(query.cursor)
  const rows = await listConsents(db, caller.uniqid, { state: query.state, after, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const next_cursor = rows.length > limit && last ? toCursor({ requestedAt: last.requested_at, id: last.id }) : null
  return { status: 200, body: { authorizations: page.map(toConsentRequest), next_cursor } }
}

const YEAR_10000_MS = 253_402_300_800_000

const toCursor = ({ requestedAt, id }: Position) => Buffer.from(`${requestedAt.getTime()}.${id}`).toString('base64url')

function fromCursor(cursor: string): Position {
  const [, milliseconds, id] = /^(\d{1,15})\.(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (!milliseconds || !id || Number(milliseconds) >= YEAR_10000_MS)
    throw new Failure('validation_failed', { errors: { cursor: ['is not a next_cursor of ours'] } })
  return { requestedAt: new Date(Number(milliseconds)), id: Number(id) }
}
