import { startPollLoop } from '../background/poll-loop.ts'
import type { Service } from '../operation.ts'
import { failedCheck, plainDetail, toChecks } from './checks.ts'
import { describe, evidenceOf } from './evidence.ts'
import type { Refusal } from './refusal.ts'
import { insertDiagnoses, lookUp } from './store.ts'

const FLUSH_MS = 100
const MINUTE_MS = 60_000
/** Beyond, refusals are dropped: under a flood, explanations are the first thing to go. */
const MOST_WAITING = 1_000
const MOST_PARTNERS = 10_000

export type Recorder = { note(refusal: Refusal): void; stop(): Promise<void> }

type Noted = { refusal: Refusal; atMs: number }

/** Writes down why requests were refused, after they were answered and off their way. What cannot be written is lost. */
export function startRecorder(service: Service): Recorder {
  const waiting: Noted[] = []
  const isWithinBudget = createBudget(service.config.diagnosesPerMinute)
  const flush = async () => {
    const batch = waiting.splice(0)
    if (batch.length > 0)
      await write(service, batch).catch((error: unknown) =>
        service.log.warn({ name: error instanceof Error ? error.name : 'unknown' }, 'diagnoses were lost'),
      )
  }
  const loop = startPollLoop(FLUSH_MS, flush)
  return {
    note: (refusal) => {
      if (waiting.length < MOST_WAITING && isWithinBudget(refusal)) waiting.push({ refusal, atMs: performance.now() })
    },
    stop: async () => {
      await loop.end()
      await flush()
    },
  }
}

/** So many of each partner's in a minute. Who only names a partner has another budget than who has proved to be it, and cannot use up that one. */
function createBudget(perMinute: number): (refusal: Refusal) => boolean {
  const counts = new Map<string, number>()
  let endsAtMs = 0
  return ({ partner }) => {
    if (performance.now() >= endsAtMs) {
      counts.clear()
      endsAtMs = performance.now() + MINUTE_MS
    }
    const key = JSON.stringify(partner)
    const count = counts.get(key) ?? 0
    if (count >= perMinute || counts.size >= MOST_PARTNERS) return false
    counts.set(key, count + 1)
    return true
  }
}

async function write(service: Service, batch: Noted[]): Promise<void> {
  const cases = batch.flatMap(({ refusal, atMs }) => {
    const failed = failedCheck(refusal)
    return failed ? [{ refusal, atMs, failed, evidence: evidenceOf(service, refusal, failed) }] : []
  })
  if (cases.length === 0) return
  const answers = await lookUp(
    service.db,
    cases.map(({ refusal: { partner }, atMs, evidence }) => ({
      partner_id: 'id' in partner ? partner.id : null,
      secret_code: 'secretCode' in partner ? partner.secretCode : null,
      partner_code: 'partnerCode' in partner ? partner.partnerCode : null,
      kind: evidence?.kind ?? null,
      hmacs: evidence && 'hmacs' in evidence ? evidence.hmacs : [],
      ago_seconds: (performance.now() - atMs) / 1000,
    })),
  )
  const diagnoses = cases.flatMap(({ refusal, failed, evidence }, place) => {
    const answer = answers.get(place)
    // No partner has the code that it named.
    if (!answer) return []
    const { requestId, operation, failure } = refusal
    const detail = evidence ? describe(refusal, evidence, answer) : plainDetail(refusal, failed)
    const { partner_id, occurred_at } = answer
    const { status, code: error } = failure
    return [{ request_id: requestId, partner_id, operation, occurred_at, status, error, checks: toChecks(refusal, failed, detail) }]
  })
  if (diagnoses.length > 0) await insertDiagnoses(service.db, diagnoses)
}
