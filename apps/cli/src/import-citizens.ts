import { stat } from 'node:fs/promises'
import type { Schemas } from '@tiwala/contract'
import type { Call } from './connect.ts'
import { answerOf, bodyOf } from './document.ts'
import { EXIT } from './explain.ts'
import { openSource, print, printJson, tell } from './io.ts'
import { linesInParts, type Part } from './lines-in-parts.ts'
import { patiently } from './patiently.ts'
import { toPlain } from './plain.ts'
import { createProgress } from './progress.ts'
import type { Work } from './work.ts'

type Report = Schemas['ImportReport']
type Fault = Schemas['LineFault']

/** As many lines as the service tells the faults of, so that none goes untold; and no more than a slow line carries in time. */
const LIMITS = {
  lines: answerOf('importCitizens')['errors']!.maxItems!,
  bytes: Math.min(bodyOf('importCitizens')!['x-max-bytes']!, 2 * 1024 * 1024),
}

/** Sends a file of any size part by part, and tells every line that was refused by its number in the file. */
export async function importCitizens({ io, options, connect }: Work): Promise<number> {
  const [path, call, progress] = [options.file!, patiently(await connect(), io), createProgress(io)]
  const total = path === '-' ? undefined : (await stat(path)).size
  const sum: Report = { created: 0, replaced: 0, rejected: 0, errors: [] }
  let bytes = 0
  try {
    for await (const part of linesInParts(openSource(io, path) as AsyncIterable<Buffer>, LIMITS)) {
      const report = await send(call, part)
      for (const key of ['created', 'replaced', 'rejected'] as const) sum[key] += report[key]
      if (report.errors.length > 0) progress.end()
      if (options.json) sum.errors.push(...report.errors)
      else await print(io.stdout, report.errors.map(toLine).join(''))
      progress.show((bytes += part.bytes), total, `${sum.created + sum.replaced} written, ${sum.rejected} refused`)
    }
  } catch (error) {
    tell(io, `Stopped after ${summaryOf(sum)}. What was written stays; the same file can be sent again.`)
    throw error
  } finally {
    progress.end()
  }
  if (options.json) await printJson(io, sum)
  else tell(io, `${summaryOf(sum)}.`)
  return sum.rejected > 0 ? EXIT.refused : EXIT.done
}

/** A part's report, with the lines numbered as in the file. */
async function send(call: Call, { firstLine, text, faults }: Part): Promise<Report> {
  const report: Report =
    text.trim() === '' ? { created: 0, replaced: 0, rejected: 0, errors: [] } : (await call('importCitizens', { body: text })).body
  const told = report.errors.map(({ line, errors }) => ({ line: firstLine + line - 1, errors }))
  return { ...report, rejected: report.rejected + faults.length, errors: [...told, ...faults].toSorted((a, b) => a.line - b.line) }
}

const toLine = ({ line, errors }: Fault): string =>
  `line ${toPlain(String(line))}: ${Object.entries(errors)
    .map(([field, reasons]) => toPlain(field === 'line' ? reasons.join('; ') : `${field} ${reasons.join('; ')}`))
    .join(', ')}\n`

const summaryOf = ({ created, replaced, rejected }: Report): string =>
  toPlain(`${created} created, ${replaced} replaced, ${rejected} refused`)
