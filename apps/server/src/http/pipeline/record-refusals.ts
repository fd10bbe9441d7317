import type { ErrorRequestHandler, Request } from 'express'
import type { Recorder } from '../../diagnostics/recorder.ts'
import type { PartnerOperationId, PresentedValues, Refusal } from '../../diagnostics/refusal.ts'
import { Failure } from '../../failure.ts'
import { partnerPolicyOf } from '../../operations.ts'
import { PARTNER_CODE } from '../../partners/partner.ts'

const SECRET_CODE = /^twc_[0-9A-Za-z]{20}$/
/**
 * Longer than every valid value. The rest of a longer value is cut off: the diagnosis needs only to see that
 * it is wrong.
 */
const MAX_LENGTH = 200

/** Passes each refusal that belongs to a partner to the recorder, after the response was sent. */
export function recordRefusals({ record }: Recorder): ErrorRequestHandler {
  return (thrown, req, res, next) => {
    res.once('finish', () => {
      const failure: unknown = res.locals['failure']
      const refusal = failure instanceof Failure && failure.status < 500 && toRefusal(req, failure)
      if (refusal) record(refusal)
    })
    next(thrown)
  }
}

function toRefusal(req: Request, failure: Failure): Refusal | undefined {
  const operation = req.openapi?.schema.operationId ?? null
  if (operation !== null && !isPartnerOperation(operation)) return undefined
  const partner = partnerOf(req, operation)
  return (
    partner && {
      requestId: req.exchange.requestId,
      operation,
      failure,
      passed: req.exchange.passed,
      partner,
      presented: presentedValues(req),
      address: req.ip,
    }
  )
}

const isPartnerOperation = (id: string): id is PartnerOperationId => partnerPolicyOf(id) !== undefined

/** The partner that a request authenticated as, or only names by a code. */
export function partnerOf(req: Request, operation: string | null): Refusal['partner'] | undefined {
  const { id, partnerId } = (req.exchange.caller ?? {}) as { id?: number; partnerId?: number }
  // A client other than the partner can send the partner's token, so it does not authenticate the partner.
  if (partnerId !== undefined) return { id: partnerId, isAuthenticated: false }
  if (id !== undefined) return { id, isAuthenticated: true }
  const [secretCode, partnerCode] = [req.get('x-secret-code'), fieldsOf(req)['partner_code']]
  if (operation === 'generateToken')
    return isText(partnerCode) && PARTNER_CODE.test(partnerCode) ? { partnerCode } : undefined
  return secretCode && SECRET_CODE.test(secretCode) ? { secretCode } : undefined
}

function presentedValues(req: Request): PresentedValues {
  const { partner_secret, exchange_code, qr_value = req.query['qr_value'] } = fieldsOf(req)
  const { jti } = (req.exchange.caller ?? {}) as { jti?: string }
  const values = {
    secret_token: req.get('x-secret-token'),
    partner_secret,
    qr_value,
    exchange_code,
    access_token: jti,
  }
  return Object.fromEntries(
    Object.entries(values).flatMap(([kind, value]) =>
      isText(value) ? [[kind, value.slice(0, MAX_LENGTH)]] : [],
    ),
  )
}

const fieldsOf = (req: Request) => (req.body ?? {}) as Record<string, unknown>
const isText = (value: unknown): value is string => typeof value === 'string'
