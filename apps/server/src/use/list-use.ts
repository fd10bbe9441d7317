import { readTime } from '../database/clock.ts'
import { paginate } from '../database/pagination.ts'
import type { Operation } from '../operation.ts'
import { findUse, type UseKind, type UsePosition, type UseRow } from './use.sql.ts'

export const listUse: Operation<'listUse'> = async ({ db }, { query }) => {
  const filter = {
    partnerCode: query.partner_code,
    kind: query.kind,
    name: query.name,
    since: readTime('since', query.since),
  }
  const { rows, next_cursor } = await paginate(query, {
    locate: fromCursor,
    read: (after, limit) => findUse(db, filter, after, limit),
    toCursor,
  })
  return { status: 200, body: { use: rows, next_cursor } }
}

const toCursor = ({ kind, name, partner_code }: UseRow): string =>
  Buffer.from([kind, partner_code, name].join(' ')).toString('base64url')

/** Only the name can contain a space. */
function fromCursor(cursor: string): UsePosition | undefined {
  const [, kind, partner_code, name] =
    /^([a-z_]{1,20}) (\w{2,32}) ([\x20-\x7E]{1,100})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  return kind && partner_code && name ? { kind: kind as UseKind, partner_code, name } : undefined
}
