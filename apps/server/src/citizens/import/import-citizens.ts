import { setImmediate as others } from 'node:timers/promises'
import type { Schemas } from '@tiwala/contract'
import type { AdminAction } from '../../audit/store.ts'
import type { Operation, Service } from '../../operation.ts'
import { encryptCitizen } from '../citizen-encryption.ts'
import { type Fault, linesOf, readLine, type Registration } from './lines.ts'
import { findDataKeys, type ToWrite, writeCitizens } from './store.ts'

const WRITTEN_AT_ONCE = 200
const MOST_TOLD = 1_000
/** How long lines are read before other requests get their turn. */
const TURN_MS = 10

type Report = Schemas['ImportReport']

export const importCitizens: Operation<'importCitizens'> = async (service, { caller, body, requestId }) => {
  const report: Report = { created: 0, replaced: 0, rejected: 0, errors: [] }
  const lineOf = new Map<string, number>()
  const action = { kind: 'citizen.written', actor: caller.subject, requestId }
  let batch: Registration[] = []
  let turnEndsMs = performance.now() + TURN_MS
  for (const line of linesOf(body)) {
    const read = readLine(line)
    const earlier = 'registration' in read ? lineOf.get(read.registration.profile.uniqid) : undefined
    if ('fault' in read) reject(report, line.number, read.fault)
    else if (earlier !== undefined) reject(report, line.number, { 'profile.uniqid': [`stands in line ${earlier} already`] })
    else {
      lineOf.set(read.registration.profile.uniqid, line.number)
      batch.push(read.registration)
    }
    if (batch.length === WRITTEN_AT_ONCE) await write(service, batch.splice(0), action, report)
    if (performance.now() < turnEndsMs) continue
    await others()
    turnEndsMs = performance.now() + TURN_MS
  }
  await write(service, batch, action, report)
  return { status: 200, body: report }
}

function reject(report: Report, line: number, errors: Fault): void {
  report.rejected++
  if (report.errors.length < MOST_TOLD) report.errors.push({ line, errors })
}

/** Writes a batch, and those again whom somebody else created or erased meanwhile. */
async function write(service: Service, batch: Registration[], action: AdminAction, report: Report): Promise<void> {
  if (batch.length === 0) return
  const { db, keys } = service
  const named = batch.map((registration) => ({ registration, hmacs: keys.hmacs('uniqid', registration.profile.uniqid) }))
  const known = await findDataKeys(
    db,
    named.flatMap(({ hmacs }) => hmacs),
  )
  const sealed = named.map(({ registration, hmacs }): ToWrite => {
    const found = hmacs.map((mac) => known.get(mac)).find((each) => each !== undefined)
    return { ...encryptCitizen(keys, found, registration), uniqid_mac: hmacs[0]!, is_known: found !== undefined }
  })
  const written = await writeCitizens(db, sealed, action)
  for (const { subject, is_known } of sealed) if (written.has(subject)) report[is_known ? 'replaced' : 'created']++
  await write(
    service,
    batch.filter((_, index) => !written.has(sealed[index]!.subject)),
    action,
    report,
  )
}
