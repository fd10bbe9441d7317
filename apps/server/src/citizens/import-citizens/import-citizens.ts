import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Schemas } from '@tiwala/contract'
import type { Operation } from '../../operation.ts'
import { putCitizens } from '../put-citizens.ts'
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
  const batch: Registration[] = []
  const write = async (citizens: Registration[]) => {
    const created = await putCitizens(service, citizens, action)
    report.created += created
    report.replaced += citizens.length - created
  }
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
    if (batch.length === MAX_PER_STATEMENT) await write(batch.splice(0))
    if (performance.now() < turnEndsMs) continue
    await yieldToEventLoop()
    turnEndsMs = performance.now() + TURN_MS
  }
  await write(batch)
  return { status: 200, body: report }
}

function reject(report: Report, line: number, errors: LineErrors): void {
  report.rejected++
  if (report.errors.length < MAX_REPORTED_ERRORS) report.errors.push({ line, errors })
}
