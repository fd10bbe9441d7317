import { Failure } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { findCheckpoint } from './checkpoint.sql.ts'
import { toCheckpoint } from './checkpoint.ts'

export const readCheckpoint: Operation<'readCheckpoint'> = async ({ db }, { path }) => {
  const found = await findCheckpoint(db, path.checkpoint)
  if (!found) throw new Failure('not_found', { message: 'No checkpoint has this number' })
  return { status: 200, body: toCheckpoint(found) }
}
