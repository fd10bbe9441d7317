import { createLocalJWKSet, errors, type JWTPayload, jwtVerify } from 'jose'
import { toAuditKey } from '../audit/checkpoints/checkpoint.ts'
import { readClock } from '../database/clock.ts'
import { Failure, unknownPartner } from '../failure.ts'
import type { Operation, Service } from '../operation.ts'
import { findPartner } from '../partners/partner.sql.ts'
import { toPartner } from '../partners/partner.ts'
import { RECEIPT_ALGORITHM, RECEIPT_TYPE } from '../secrets/receipt.ts'
import { storeDecision } from './decide-going-live-report.sql.ts'

export const decideGoingLiveReport: Operation<'decideGoingLiveReport'> = async (
  service,
  { caller, path: { partner_code }, query, body: { report, status }, requestId },
) => {
  if (!(await findPartner(service.db, partner_code))) throw unknownPartner()
  const { event, live_partner_code, is_ready, jti, iat } = await verifyReport(service, report)
  if (event !== 'report.written') throw refuse('report', 'is a receipt, and no report for going live')
  if (live_partner_code !== partner_code) throw refuse('report', 'is for another partner')
  if (status === 'ACCEPTED' && is_ready !== true)
    throw refuse('status', 'must be RETURNED: the report is not ready')
  const goingLive = {
    status,
    report_id: jti!,
    written_at: new Date(iat! * 1_000).toISOString(),
    decided_at: (await readClock(service.db)).toISOString(),
    decided_by: caller.subject,
    reason: query.reason ?? null,
  }
  const kind = status === 'ACCEPTED' ? 'report.accepted' : 'report.returned'
  const action = { kind, actor: caller.subject, requestId, detail: jti, ...query }
  const partner = await storeDecision(service, partner_code, goingLive, action)
  if (!partner) throw unknownPartner()
  return { status: 200, body: toPartner(partner) }
}

/** The claims of a report with a valid signature. */
export async function verifyReport(
  { config, keys }: Pick<Service, 'config' | 'keys'>,
  report: string,
): Promise<JWTPayload> {
  // A sandbox writes reports itself, so it also shows the decision about them.
  const own = config.environment === 'sandbox' ? { keys: keys.auditKeys().map(toAuditKey) } : undefined
  const known = config.goingLiveKeys ?? own
  if (!known) throw refuse('report', 'cannot be verified. Set TIWALA_GOING_LIVE_KEYS_FILE')
  try {
    const options = { algorithms: [RECEIPT_ALGORITHM], typ: RECEIPT_TYPE }
    return (await jwtVerify(report, createLocalJWKSet(known), options)).payload
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey)
      throw refuse(
        'report',
        'is signed with a key that the service does not know (TIWALA_GOING_LIVE_KEYS_FILE)',
      )
    if (error instanceof errors.JOSEError) throw refuse('report', 'is not genuine')
    throw error
  }
}

const refuse = (field: 'report' | 'status', reason: string) =>
  new Failure('validation_failed', { errors: { [field]: [reason] } })
