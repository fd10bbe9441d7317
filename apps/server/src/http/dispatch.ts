import type { OperationId } from '@tiwala/contract'
import type { RequestHandler } from 'express'
import type { Call, Operation, Service } from '../operation.ts'
import { operations } from '../operations.ts'
import { send } from './reply.ts'

/** Calls the operation that the validator matched in the document. */
export function dispatch(service: Service): RequestHandler {
  return async (req, res) => {
    const { schema, pathParams } = req.openapi!
    const operation = operations[schema.operationId as OperationId] as Operation<OperationId>
    const call = { caller: req.caller, query: req.query, path: pathParams, body: req.body as unknown, requestId: String(req.id) }
    await send(req, res, await operation(service, call as unknown as Call<OperationId>))
  }
}
