import type { OperationId } from '@tiwala/contract'
import type { RequestHandler } from 'express'
import type { Call, Operation, Service } from '../operation.ts'
import { operations } from '../operations.ts'
import { Failure } from './failure.ts'
import { send, sendStream } from './reply.ts'

/** Calls the operation that the validator matched in the document. */
export function dispatch(service: Service): RequestHandler {
  return async (req, res) => {
    // `OPTIONS *` names no path at all, and the validator lets it by.
    if (!req.openapi) throw new Failure('not_found')
    // Whatever may have been taken out before this: nobody is served who has proved nothing.
    if (req.caller === undefined) throw new Error('Nobody has proved to be the caller.')
    const { schema, pathParams } = req.openapi
    const operation = operations[schema.operationId as OperationId] as Operation<OperationId>
    const call = {
      caller: req.caller,
      query: req.query,
      path: pathParams,
      body: req.body as unknown,
      header: (name: string) => req.get(name),
      requestId: req.id as string,
      onClose: (listener: () => void) => void res.once('close', listener),
    }
    const reply = await operation(service, call as unknown as Call<OperationId>)
    await ('stream' in reply ? sendStream(res, reply) : send(req, res, reply))
  }
}
