import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Schemas } from '@tiwala/contract'
import type { AdminAction } from '../../audit/insert-audit.sql.ts'
import type { Operation, Service } from '../../operation.ts'
import { encryptCitizen, isStoredAlready } from '../citizen-encryption.ts'
import { findStoredCitizens, type NewCitizenRow, writeCitizens } from './import-citizens.sql.ts'
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

/** Writes the changed citizens of a batch. Citizens that another request created or erased meanwhile are read and written again. */
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
  const known = await findStoredCitizens(
    db,
    hashed.flatMap(({ hmacs }) => hmacs),
  )
  const changed = hashed.flatMap(({ registration, hmacs }) => {
    const found = hmacs.map((hmac) => known.get(hmac)).find((each) => each !== undefined)
    if (found && isStoredAlready(keys, found, registration)) return []
    const encrypted = encryptCitizen(keys, found, registration)
    const row: NewCitizenRow = { ...encrypted, uniqid_hmac: hmacs[0]!, is_known: found !== undefined }
    return [{ registration, row }]
  })
  report.replaced += batch.length - changed.length
  if (changed.length === 0) return
  const written = await writeCitizens(
    db,
    changed.map(({ row }) => row),
    action,
  )
  const missed: Registration[] = []
  for (const { registration, row } of changed)
    if (written.has(row.subject)) report[row.is_known ? 'replaced' : 'created']++
    else missed.push(registration)
  await write(service, missed, action, report)
}
