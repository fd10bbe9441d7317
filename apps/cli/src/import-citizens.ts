import type { Schemas } from '@tiwala/contract'
import type { CommandContext, CommandOverride } from './command-context.ts'
import { type OperatorTransport, apiUrlOf } from './connect.ts'
import { requestBodyOf, responseFieldsOf } from './document.ts'
import { escapeText } from './escape-text.ts'
import { EXIT_CODE } from './format-error.ts'
import { openPosition } from './import-position.ts'
import { openSource, print, printMessage } from './io.ts'
import { type Batch, ndjsonBatches } from './ndjson-batches.ts'
import { printValue } from './print-value.ts'
import { createProgress } from './progress.ts'
import { withRetry } from './with-retry.ts'

type Report = Schemas['ImportReport']
type Fault = Schemas['LineFault']

/**
 * A batch has at most as many lines as a response can report faults, so that no fault is lost. It has at most
 * 2 MiB, so that a slow connection can upload it before the request times out.
 */
const LIMITS = {
  lines: responseFieldsOf('importCitizens')['errors']!.maxItems!,
  bytes: Math.min(requestBodyOf('importCitizens')!['x-max-bytes']!, 2 * 1024 * 1024),
}

/** Sends a file of any size in batches, and reports each refused line with its line number in the file. */
async function importCitizens({ io, options, connect }: CommandContext): Promise<number> {
  const path = options.file!
  const position = await openPosition(io, path, apiUrlOf(io, options), options.resume === true)
  const [call, progress] = [withRetry(await connect(), io), createProgress(io)]
  let { bytes, lines, ...counts } = position.start
  const sum: Report = {
    created: counts.created,
    replaced: counts.replaced,
    rejected: counts.rejected,
    errors: [...position.faults],
  }
  const source = openSource(io, path, bytes) as AsyncIterable<Buffer>
  try {
    for await (const batch of ndjsonBatches(source, LIMITS, lines + 1)) {
      const report = await sendBatch(call, batch)
      for (const key of ['created', 'replaced', 'rejected'] as const) sum[key] += report[key]
      if (report.errors.length > 0) progress.end()
      if (options.output !== 'table') sum.errors.push(...report.errors)
      else await print(io.stdout, report.errors.map(formatFault).join(''))
      bytes += batch.bytes
      lines += batch.lineCount
      const { created, replaced, rejected } = sum
      await position.save({ bytes, lines, created, replaced, rejected }, report.errors)
      progress.show(bytes, position.size, `${sum.created + sum.replaced} written, ${sum.rejected} refused`)
    }
  } catch (error) {
    printMessage(
      io,
      `Stopped after line ${lines}: ${summaryOf(sum)}. The written citizens stay. ` +
        (position.size === undefined
          ? 'You can import the same file again.'
          : 'Add --resume to continue there, or import the same file again.'),
    )
    throw error
  } finally {
    progress.end()
  }
  await position.end()
  if (options.output !== 'table') await printValue(io, options.output, sum)
  else printMessage(io, `${summaryOf(sum)}.`)
  return sum.rejected > 0 ? EXIT_CODE.refused : EXIT_CODE.done
}

/** Returns the report of a batch, with line numbers that count from the start of the file. */
async function sendBatch(call: OperatorTransport, { firstLine, text, faults }: Batch): Promise<Report> {
  const isEmpty = text.trim() === ''
  const report: Report = isEmpty
    ? { created: 0, replaced: 0, rejected: 0, errors: [] }
    : (await call('importCitizens', { body: text })).body
  const reported = report.errors.map(({ line, errors }) => ({ line: firstLine + line - 1, errors }))
  const allFaults = [...reported, ...faults].toSorted((a, b) => a.line - b.line)
  return { ...report, rejected: report.rejected + faults.length, errors: allFaults }
}

const formatFault = ({ line, errors }: Fault): string =>
  `line ${escapeText(String(line))}: ${Object.entries(errors)
    .map(([field, reasons]) =>
      escapeText(field === 'line' ? reasons.join('; ') : `${field} ${reasons.join('; ')}`),
    )
    .join(', ')}\n`

const summaryOf = ({ created, replaced, rejected }: Report): string =>
  escapeText(`${created} created, ${replaced} replaced, ${rejected} refused`)

export const importCitizensCommand: CommandOverride = {
  description: `
      Writes many citizens from a file of any size (NDJSON: each line is one citizen as JSON). A line with
      an error is skipped and reported with its line number and the reason; the other lines are written.
      Written citizens stay, and you can import the same file again. If a uniqid occurs twice, the
      distance decides. Lines near each other: the second is rejected. More than 1,000 lines apart: it
      replaces the first. If the command stops, for example because its token expires, --resume continues
      after the last batch that was stored: the position is kept in a file beside the first one
      (<path>.position) until the end. Needs citizens:write.`,
  addOptions: (command) =>
    void command.option('--resume', 'continue where an earlier import of this file stopped'),
  handle: importCitizens,
}
