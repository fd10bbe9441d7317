import type { Operation } from '../operation.ts'
import { findEndpoint } from './endpoint.sql.ts'
import { toEndpoint } from './endpoint.ts'

export const readEndpoint: Operation<'readEndpoint'> = async ({ db }, { caller }) => ({
  status: 200,
  body: toEndpoint(await findEndpoint(db, caller.partnerId)),
})
