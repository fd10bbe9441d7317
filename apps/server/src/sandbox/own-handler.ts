import { Ajv, type SchemaObject } from 'ajv'
import addFormats from 'ajv-formats'
import type { Request } from 'express'
import { fieldErrors, toViolation } from '../contract/field-errors.ts'
import { Failure } from '../failure.ts'
import type { Service } from '../operation.ts'
import type { Sandbox } from './sandboxes.sql.ts'

/** `body` is sent as JSON, `page` as HTML. */
type Result = Promise<{ status?: number; body?: object; page?: string }>
type Requested = Pick<Request, 'exchange' | 'body' | 'query'>

/** An act in the sandbox that the address of the request names. */
export type OwnHandler = (service: Service, sandbox: Sandbox, req: Requested) => Result

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true })
addFormats.default(ajv, { keywords: true })

/** An act with a body: all these fields, each with its JSON Schema. */
export function ownHandler<Body>(
  properties: Record<keyof Body, SchemaObject>,
  act: (service: Service, sandbox: Sandbox, body: Body, req: Requested) => Result,
): OwnHandler {
  const validate = ajv.compile<Body>({ type: 'object', required: Object.keys(properties), properties })
  return async (service, sandbox, req) => {
    const body: unknown = req.body ?? {}
    if (validate(body)) return act(service, sandbox, body, req)
    throw new Failure('validation_failed', { errors: fieldErrors(validate.errors!.map(toViolation)) })
  }
}
