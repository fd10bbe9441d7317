import { locateNumber, paginate } from '../database/pagination.ts'
import type { Operation } from '../operation.ts'
import { findOperators, type OperatorRow } from './sightings.sql.ts'

export const listOperators: Operation<'listOperators'> = async ({ db }, { query }) => {
  const { rows, next_cursor } = await paginate(query, {
    locate: locateNumber,
    read: (before, limit) => findOperators(db, before, limit),
    toCursor: ({ id }) => String(id),
  })
  return { status: 200, body: { operators: rows.map(toOperator), next_cursor } }
}

const toOperator = ({ subject, name, scopes, first_seen_at, seen_at }: OperatorRow) => ({
  subject,
  name,
  scopes: scopes.split(' ').filter(Boolean).toSorted(),
  first_seen_at: first_seen_at.toISOString(),
  seen_at: seen_at.toISOString(),
})
