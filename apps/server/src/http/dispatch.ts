import type { OperationId } from '@tiwala/contract'
import type { RequestHandler } from 'express'
import type { Call, Operation, Service } from '../operation.ts'
import { operations } from '../operations.ts'
import { UNHURRIED } from './admission.ts'
import { Failure } from './failure.ts'
import { send, sendStream } from './reply.ts'

/** Calls the operation that the validator matched in the document. `patient`: with connections for what takes its time. */
export function dispatch(service: Service, patient: Service): RequestHandler {
  return async (req, res) => {
    // Its deadline passed, or its client went away, before it began.
    if (res.headersSent || res.closed) return
    // `OPTIONS *` names no path at all, and the validator lets it by.
    if (!req.openapi) throw new Failure('not_found')
    // Whatever may have been taken out before this: nobody is served who has proved nothing.
    if (req.caller === undefined) throw new Error('Nobody has proved to be the caller.')
    const { schema, pathParams } = req.openapi
    const operation = operations[schema.operationId as OperationId] as Operation<OperationId>
    const call = {
      caller: req.caller,
      reauthenticate: req.reauthenticate,
      query: req.query,
      path: pathParams,
      body: req.body as unknown,
      header: (name: string) => req.get(name),
      requestId: req.requestId,
      onClose: (listener: () => void) => void (res.closed ? listener() : res.once('close', listener)),
      slot: req.slot,
    }
    const work = async () => {
      const reply = await operation(UNHURRIED.has(schema.operationId) ? patient : service, call as unknown as Call<OperationId>)
      await ('stream' in reply ? sendStream(res, reply) : send(req, res, reply))
    }
    await (req.slot ? req.slot.keepDuring(work) : work())
  }
}
