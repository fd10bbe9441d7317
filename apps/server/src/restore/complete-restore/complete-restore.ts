import type { Operation } from '../../operation.ts'
import { raiseEpoch } from './complete-restore.sql.ts'

export const completeRestore: Operation<'completeRestore'> = async ({ db }, { caller, requestId }) => ({
  status: 200,
  body: { epoch: await raiseEpoch(db, { actor: caller.subject, requestId }) },
})
