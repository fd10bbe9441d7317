import type { Operation } from '../../operation.ts'
import { readPage } from '../../page.ts'
import { toCheckpoint } from '../checkpoint.ts'
import { locateNumber } from './number-cursor.ts'
import { findCheckpoints } from './store.ts'

export const listCheckpoints: Operation<'listCheckpoints'> = async ({ db }, { query }) => {
  const { rows, next_cursor } = await readPage(query, {
    locate: locateNumber,
    read: (before, limit) => findCheckpoints(db, before, limit),
    toCursor: ({ number }) => String(number),
  })
  return { status: 200, body: { checkpoints: rows.map(toCheckpoint), next_cursor } }
}
