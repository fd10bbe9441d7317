import { stat } from 'node:fs/promises'
import type { Schemas } from '@tiwala/contract'
import type { CommandContext } from './command-context.ts'
import type { OperatorTransport } from './connect.ts'
import { responseFieldsOf, requestBodyOf } from './document.ts'
import { escapeText } from './escape-text.ts'
import { EXIT_CODE } from './format-error.ts'
import { openSource, print, printJson, printMessage } from './io.ts'
import { ndjsonBatches, type Batch } from './ndjson-batches.ts'
import { createProgress } from './progress.ts'
import { withRetry } from './with-retry.ts'

type Report = Schemas['ImportReport']
type Fault = Schemas['LineFault']

/** As many lines as the service tells the faults of, so that none goes untold; and no more than a slow line carries in time. */
const LIMITS = {
  lines: responseFieldsOf('importCitizens')['errors']!.maxItems!,
  bytes: Math.min(requestBodyOf('importCitizens')!['x-max-bytes']!, 2 * 1024 * 1024),
}

/** Sends a file of any size part by part, and tells every line that was refused by its number in the file. */
export async function importCitizens({ io, options, connect }: CommandContext): Promise<number> {
  const [path, call, progress] = [options.file!, withRetry(await connect(), io), createProgress(io)]
  const total = path === '-' ? undefined : (await stat(path)).size
  const sum: Report = { created: 0, replaced: 0, rejected: 0, errors: [] }
  let bytes = 0
  try {
    for await (const batch of ndjsonBatches(openSource(io, path) as AsyncIterable<Buffer>, LIMITS)) {
      const report = await send(call, batch)
      for (const key of ['created', 'replaced', 'rejected'] as const) sum[key] += report[key]
      if (report.errors.length > 0) progress.end()
      if (options.json) sum.errors.push(...report.errors)
      else await print(io.stdout, report.errors.map(toLine).join(''))
      progress.show((bytes += batch.bytes), total, `${sum.created + sum.replaced} written, ${sum.rejected} refused`)
    }
  } catch (error) {
    printMessage(io, `Stopped after ${summaryOf(sum)}. What was written stays; the same file can be sent again.`)
    throw error
  } finally {
    progress.end()
  }
  if (options.json) await printJson(io, sum)
  else printMessage(io, `${summaryOf(sum)}.`)
  return sum.rejected > 0 ? EXIT_CODE.refused : EXIT_CODE.done
}

/** A part's report, with the lines numbered as in the file. */
async function send(call: OperatorTransport, { firstLine, text, faults }: Batch): Promise<Report> {
  const report: Report =
    text.trim() === '' ? { created: 0, replaced: 0, rejected: 0, errors: [] } : (await call('importCitizens', { body: text })).body
  const told = report.errors.map(({ line, errors }) => ({ line: firstLine + line - 1, errors }))
  return { ...report, rejected: report.rejected + faults.length, errors: [...told, ...faults].toSorted((a, b) => a.line - b.line) }
}

const toLine = ({ line, errors }: Fault): string =>
  `line ${escapeText(String(line))}: ${Object.entries(errors)
    .map(([field, reasons]) => escapeText(field === 'line' ? reasons.join('; ') : `${field} ${reasons.join('; ')}`))
    .join(', ')}\n`

const summaryOf = ({ created, replaced, rejected }: Report): string =>
  escapeText(`${created} created, ${replaced} replaced, ${rejected} refused`)
