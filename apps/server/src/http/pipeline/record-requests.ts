import type { RequestHandler, Response } from 'express'
import { isAuthenticated, type PartnerOperationId } from '../../diagnostics/refusal.ts'
import { Failure } from '../../failure.ts'
import type { Figures } from '../../figures/count-figures.ts'
import { networkOf } from '../../network/addresses.ts'
import { partnerPolicyOf, policyOf } from '../../operations.ts'
import type { RequestLog } from '../../requests/request-log.ts'
import type { UseCollector } from '../../use/collect-use.ts'
import { usedPercent } from '../load/partner-limits.ts'
import { statusOf } from './exchange.ts'
import { readTypeOf } from './headers.ts'
import { partnerOf } from './record-refusals.ts'

/** Passes each request of a partner to its log, after the response was sent, or the client has closed the connection. */
export function recordRequests(
  { record }: RequestLog,
  figures: Figures,
  use: Pick<UseCollector, 'add'>,
): RequestHandler {
  const isNewRange = createRangeFilter()
  return (req, res, next) => {
    const startedAtMs = performance.now()
    res.once('close', () => {
      const operation = req.openapi?.schema.operationId
      if (policyOf(operation) && !partnerPolicyOf(operation)) return
      const partner = partnerOf(req, operation ?? null)
      if (!partner) return
      // The last check of the authentication. A refused access token can be an old one that many have seen.
      const isAccepted = isAuthenticated(partner) || req.exchange.passed.includes('address')
      const failure: unknown = res.locals['failure']
      const { credential_id = null } = (req.exchange.caller ?? {}) as { credential_id?: number }
      record({
        request_id: req.exchange.requestId,
        method: req.method,
        operation: operation ?? '',
        status: statusOf(res),
        error: failure instanceof Failure ? failure.code : null,
        duration_ms: Math.round(performance.now() - startedAtMs),
        partner_id: 'id' in partner ? partner.id : null,
        secret_code: 'secretCode' in partner ? partner.secretCode : null,
        partner_code: 'partnerCode' in partner ? partner.partnerCode : null,
        credential_id,
        address: req.ip ?? null,
        told_state: headerOf(res, 'X-Authorization-State'),
        // Programs may send other headers of this name, but not this one.
        is_from_browser: Boolean(req.get('origin') ?? req.get('sec-fetch-site')),
        retry_after_seconds: Number(headerOf(res, 'Retry-After')) || null,
        isAuthenticated: isAccepted,
        startedAtMs,
      })
      if ('id' in partner && isAuthenticated(partner)) {
        const status = failure instanceof Failure && !IS_LIMIT.has(failure.code) ? failure.status : 0
        const isRefused = status >= 400 && status < 500
        figures.add({ ...figureOf(partner.id), kind: 'own', outcome: isRefused ? 'refused' : '' })
        const range = networkOf(req)
        if (isNewRange(partner.id, range))
          figures.add({ ...figureOf(partner.id), kind: 'range', operation: range })
      }
      const policy = partnerPolicyOf(operation)
      if (policy && 'id' in partner && isAccepted)
        use.add(partner.id, {
          operation: operation as PartnerOperationId,
          scope: req.exchange.passed.includes('scope') ? policy.scope : null,
          mediaType: readTypeOf(req),
          userAgent: req.headers['user-agent'],
          query: req.query,
          body: req.body,
          hasHeader: (name) => req.get(name) !== undefined,
        })
      const limit = policy?.rateLimit
      const percent = usedPercent(req)
      if (limit && percent !== undefined && 'id' in partner)
        figures.add({ ...figureOf(partner.id), kind: 'limit', operation: limit, count: percent })
    })
    next()
  }
}

/** A partner that the guard slows would otherwise seem to be refused more. */
const IS_LIMIT = new Set(['rate_limited', 'quota_exceeded'])

const figureOf = (partner_id: number) => ({
  partner_id,
  secret_code: null,
  partner_code: null,
  operation: '',
  outcome: '',
  within_ms: 0,
  count: 1,
})

const HOUR_MS = 3_600_000
/** More would only say again that the partner sends requests from anywhere. */
const MAX_RANGES = 100

/** Whether the range of addresses is new to this process in an hour. */
function createRangeFilter() {
  let seen = new Map<number, Set<string>>()
  let endsAtMs = 0
  return (partnerId: number, range: string): boolean => {
    if (performance.now() >= endsAtMs) {
      seen = new Map()
      endsAtMs = performance.now() + HOUR_MS
    }
    const ranges = seen.get(partnerId) ?? new Set()
    if (ranges.has(range) || ranges.size >= MAX_RANGES) return false
    seen.set(partnerId, ranges.add(range))
    return true
  }
}

const headerOf = (res: Response, name: string): string | null => res.get(name) ?? null
