import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Schemas } from '@tiwala/contract'
import type { AdminAction } from '../../audit/insert-audit.sql.ts'
import type { Operation, Service } from '../../operation.ts'
import { encryptCitizen } from '../citizen-encryption.ts'
import { findDataKeys, type NewCitizenRow, writeCitizens } from './import-citizens.sql.ts'
import { type Registration, splitLines, parseLine, type LineErrors } from './lines.ts'

const MAX_PER_STATEMENT = 200

const MAX_REPORTED_ERRORS = 1_000

/** Lines are read for this long before other requests get their turn. */
const TURN_MS = 10

type Report = Schemas['ImportReport']

export const importCitizens: Operation<'importCitizens'> = async (service, { caller, body, requestId }) => {
  const report: Report = { created: 0, replaced: 0, rejected: 0, errors: [] }
  const lineOf = new Map<string, number>()
  const action = { kind: 'citizen.written', actor: caller.subject, requestId }
  let batch: Registration[] = []
  let turnEndsMs = performance.now() + TURN_MS
  for (const line of splitLines(body)) {
    const parsed = parseLine(line, service.config.environment)
    const earlier = 'registration' in parsed ? lineOf.get(parsed.registration.profile.uniqid) : undefined
    if ('errors' in parsed) reject(report, line.number, parsed.errors)
    else if (earlier !== undefined)
      reject(report, line.number, { 'profile.uniqid': [`has the same uniqid as line ${earlier}`] })
    else {
      lineOf.set(parsed.registration.profile.uniqid, line.number)
      batch.push(parsed.registration)
    }
    if (batch.length === MAX_PER_STATEMENT) await write(service, batch.splice(0), action, report)
    if (performance.now() < turnEndsMs) continue
    await yieldToEventLoop()
    turnEndsMs = performance.now() + TURN_MS
  }
  await write(service, batch, action, report)
  return { status: 200, body: report }
}

function reject(report: Report, line: number, errors: LineErrors): void {
  report.rejected++
  if (report.errors.length < MAX_REPORTED_ERRORS) report.errors.push({ line, errors })
}

/** Writes a batch. Citizens that another request created or erased meanwhile are read and written again. */
async function write(
  service: Service,
  batch: Registration[],
  action: AdminAction,
  report: Report,
): Promise<void> {
  if (batch.length === 0) return
  const { db, keys } = service
  const hashed = batch.map((registration) => ({
    registration,
    hmacs: keys.hmacs('uniqid', registration.profile.uniqid),
  }))
  const known = await findDataKeys(
    db,
    hashed.flatMap(({ hmacs }) => hmacs),
  )
  const encrypted = hashed.map(({ registration, hmacs }): NewCitizenRow => {
    const found = hmacs.map((hmac) => known.get(hmac)).find((each) => each !== undefined)
    return {
      ...encryptCitizen(keys, found, registration),
      uniqid_hmac: hmacs[0]!,
      is_known: found !== undefined,
    }
  })
  const written = await writeCitizens(db, encrypted, action)
  for (const { subject, is_known } of encrypted)
    if (written.has(subject)) report[is_known ? 'replaced' : 'created']++
  await write(
    service,
    batch.filter((_, index) => !written.has(encrypted[index]!.subject)),
    action,
    report,
  )
}
