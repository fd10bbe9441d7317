import { paginate, locateNumber } from '../../database/pagination.ts'
import type { Operation } from '../../operation.ts'
import { findCheckpoints } from './checkpoint.sql.ts'
import { toCheckpoint } from './checkpoint.ts'

export const listCheckpoints: Operation<'listCheckpoints'> = async ({ db }, { query }) => {
  const { rows, next_cursor } = await paginate(query, {
    locate: locateNumber,
    read: (before, limit) => findCheckpoints(db, before, limit),
    toCursor: ({ number }) => String(number),
  })
  return { status: 200, body: { checkpoints: rows.map(toCheckpoint), next_cursor } }
}
