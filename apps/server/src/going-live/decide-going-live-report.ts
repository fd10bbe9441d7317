import { createLocalJWKSet, errors, type JWTPayload, jwtVerify } from 'jose'
import type { Asking } from '../approvals/ask.ts'
import { toAuditKey } from '../audit/checkpoints/checkpoint.ts'
import { readClock } from '../database/clock.ts'
import { Failure, unknownPartner } from '../failure.ts'
import type { Operation, Service } from '../operation.ts'
import { changeOrAsk } from '../partners/change-or-ask.ts'
import { findPartner } from '../partners/partner.sql.ts'
import { type PartnerRow, toPartner } from '../partners/partner.ts'
import { RECEIPT_ALGORITHM, RECEIPT_TYPE } from '../secrets/receipt.ts'
import { storeDecision } from './decide-going-live-report.sql.ts'

export const decideGoingLiveReport: Operation<'decideGoingLiveReport'> = async (
  service,
  { caller, path: { partner_code }, query, body: { report, status }, requestId },
) => {
  if (!(await findPartner(service.db, partner_code))) throw unknownPartner()
  const by = { actor: caller.subject, requestId, ...query }
  const found = await readReport(service, partner_code, report)
  const change = async (within: Service) => ({
    status: 200 as const,
    body: toPartner(await store(within, partner_code, found, status, by)),
  })
  if (status === 'RETURNED') return change(service)
  requireReady(found)
  return changeOrAsk(service, partner_code, 'going_live', by, {
    differenceOf: ({ going_live }) =>
      going_live?.status === 'ACCEPTED' && going_live.report_id === found.report_id
        ? undefined
        : {
            change: { going_live: { ...UNDECIDED, ...toPart(found), status }, report },
            previous: { going_live },
          },
    change,
  })
}

type Report = { report_id: string; written_at: string; is_ready: boolean }
const UNDECIDED = { decided_at: null, decided_by: null, reason: null }
const toPart = ({ report_id, written_at }: Report) => ({ report_id, written_at })

/** Accepts a report that waited for a second person. It is verified again: its key may be known no longer. */
export async function acceptReport(service: Service, partnerCode: string, report: string, by: Asking) {
  const found = await readReport(service, partnerCode, report)
  requireReady(found)
  await store(service, partnerCode, found, 'ACCEPTED', by)
}

async function store(
  service: Service,
  partnerCode: string,
  found: Report,
  status: 'ACCEPTED' | 'RETURNED',
  by: Asking,
): Promise<PartnerRow> {
  const goingLive = {
    ...toPart(found),
    status,
    decided_at: (await readClock(service.db)).toISOString(),
    decided_by: by.actor,
    reason: by.reason ?? null,
  }
  const kind = status === 'ACCEPTED' ? 'report.accepted' : 'report.returned'
  const action = { ...by, kind, detail: found.report_id }
  const partner = await storeDecision(service, partnerCode, goingLive, action)
  if (!partner) throw unknownPartner()
  return partner
}

async function readReport(service: Service, partnerCode: string, report: string): Promise<Report> {
  const { event, live_partner_code, is_ready, jti, iat } = await verifyReport(service, report)
  if (event !== 'report.written') throw refuse('report', 'is a receipt, and no report for going live')
  if (live_partner_code !== partnerCode) throw refuse('report', 'is for another partner')
  return {
    report_id: jti!,
    written_at: new Date(iat! * 1_000).toISOString(),
    is_ready: is_ready === true,
  }
}

function requireReady({ is_ready }: Report): void {
  if (!is_ready) throw refuse('status', 'must be RETURNED: the report is not ready')
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
