// Stores why requests of partners were refused, so that a partner can read the diagnosis of its own refusal
// (`readDiagnosis`).
//
// A refused request is queued after its response. Every 100 ms the queue is flushed: one statement looks up
// the presented values of the whole batch, and one statement inserts the diagnoses.
//
// States of a refusal: queued, stored, or dropped. It is dropped if the queue is full, if the partner's
// budget of the minute is used up, if no partner has the presented code, or if the database fails.
//
// Example: a partner sends a used QR value. The response is `422 qr_value_invalid`. 100 ms later its
// diagnosis says `used 12 s ago`.
//
// Guarantees: no request waits for a diagnosis. Presented values are looked up by their HMACs and never
// stored. Requests that only name a partner have another budget than requests that authenticated as it, so
// they cannot use up the partner's budget, and they fill at most half of the queue.
import { startPollLoop } from '../background/poll-loop.ts'
import { describeError } from '../describe-error.ts'
import { createWindowCounter } from '../limits/window-counter.ts'
import type { Service } from '../operation.ts'
import { failedCheck, plainDetail, toChecks } from './checks.ts'
import { insertDiagnoses, lookUpValues } from './diagnosis.sql.ts'
import { describe, evidenceOf } from './evidence.ts'
import { isAuthenticated, type Refusal } from './refusal.ts'

const FLUSH_MS = 100
const MINUTE_MS = 60_000
/** More refusals than these are dropped: under overload, diagnoses are the least important. */
const MAX_QUEUED = 1_000
/** Anyone can name a partner. Such requests leave room for those that authenticated. */
const MAX_QUEUED_NAMED = MAX_QUEUED / 2

export type Recorder = { record(refusal: Refusal): void; stop(): Promise<void> }

type QueuedRefusal = { refusal: Refusal; atMs: number }

export function startRecorder(service: Service): Recorder {
  const queued: QueuedRefusal[] = []
  const { diagnosesPerMinute } = service.config
  // An authenticated partner and a partner that is only named have separate budgets.
  const refusals = createWindowCounter(MINUTE_MS)
  const isWithinBudget = ({ partner }: Refusal) =>
    refusals.count(JSON.stringify(partner)) <= diagnosesPerMinute
  const flush = async () => {
    const batch = queued.splice(0)
    if (batch.length > 0)
      await storeDiagnoses(service, batch).catch((error: unknown) =>
        service.log.warn(
          describeError(error),
          'diagnoses could not be stored, so partners cannot read them; check the database',
        ),
      )
  }
  const loop = startPollLoop(FLUSH_MS, flush)
  return {
    record: (refusal) => {
      const max = isAuthenticated(refusal.partner) ? MAX_QUEUED : MAX_QUEUED_NAMED
      if (queued.length < max && isWithinBudget(refusal)) queued.push({ refusal, atMs: performance.now() })
    },
    stop: async () => {
      await loop.end()
      await flush()
    },
  }
}

async function storeDiagnoses(service: Service, batch: QueuedRefusal[]): Promise<void> {
  const failures = batch.flatMap(({ refusal, atMs }) => {
    const failed = failedCheck(refusal)
    return failed ? [{ refusal, atMs, failed, evidence: evidenceOf(service, refusal, failed) }] : []
  })
  if (failures.length === 0) return
  const found = await lookUpValues(
    service.db,
    failures.map(({ refusal: { partner }, atMs, evidence }) => ({
      partner_id: 'id' in partner ? partner.id : null,
      secret_code: 'secretCode' in partner ? partner.secretCode : null,
      partner_code: 'partnerCode' in partner ? partner.partnerCode : null,
      kind: evidence?.kind ?? null,
      hmacs: evidence && 'hmacs' in evidence ? evidence.hmacs : [],
      ago_seconds: (performance.now() - atMs) / 1000,
    })),
  )
  const diagnoses = failures.flatMap(({ refusal, failed, evidence }, index) => {
    const lookup = found.get(index)
    // No partner has the code that the request named.
    if (!lookup) return []
    const { requestId, operation, failure } = refusal
    const detail =
      refusal.detail ?? (evidence ? describe(refusal, evidence, lookup) : plainDetail(refusal, failed))
    const { partner_id, occurred_at } = lookup
    const { status, code: error } = failure
    return [
      {
        request_id: requestId,
        partner_id,
        operation,
        occurred_at,
        status,
        error,
        checks: toChecks(refusal, failed, detail),
      },
    ]
  })
  if (diagnoses.length > 0) await insertDiagnoses(service.db, diagnoses)
}
