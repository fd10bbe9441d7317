// Splits an NDJSON file of any size into batches that each fit one request.
//
// A batch ends before the line that would exceed its number of lines or its number of bytes. A line that
// cannot be sent (too long, or not UTF-8) is replaced by an empty line and reported as a fault. The lines
// after it therefore keep their numbers.
//
// Example, with at most 3 lines and 6 bytes: the lines `a`, `bb`, ``, `ccc` and `d` become two batches. The
// first has the lines 1 to 3, the second has the lines 4 and 5 (`firstLine` is 4).
//
// Guarantees: every line of the file is in exactly one batch, in order. At most one batch is in memory.
import { isUtf8 } from 'node:buffer'
import type { Schemas } from '@tiwala/contract'

const NEWLINE = 0x0a

/** `firstLine` is the number of the batch's first line in the file, counted from 1. */
export type Batch = {
  firstLine: number
  lineCount: number
  text: string
  bytes: number
  faults: Schemas['LineFault'][]
}
export type BatchLimits = { lines: number; bytes: number }

type Source = AsyncIterable<Buffer | string>

/** `firstLine`: the number of the source's first line, if it is a later part of a file. */
export async function* ndjsonBatches(
  source: Source,
  limits: BatchLimits,
  firstLine = 1,
): AsyncGenerator<Batch> {
  let batch = { firstLine, lines: [] as Buffer[], bytes: 0, faults: [] as Batch['faults'] }
  const toBatch = (): Batch => {
    const text = Buffer.concat(batch.lines.flatMap((line) => [line, Buffer.of(NEWLINE)])).toString()
    return { ...batch, lineCount: batch.lines.length, text }
  }
  for await (const { line, bytes, isTooLong } of linesOf(source, limits.bytes)) {
    if (
      batch.lines.length === limits.lines ||
      (batch.lines.length > 0 && batch.bytes + bytes > limits.bytes)
    ) {
      yield toBatch()
      batch = { firstLine: batch.firstLine + batch.lines.length, lines: [], bytes: 0, faults: [] }
    }
    const fault = isTooLong ? 'is too long for one request' : isUtf8(line) ? undefined : 'is not UTF-8'
    if (fault) batch.faults.push({ line: batch.firstLine + batch.lines.length, errors: { line: [fault] } })
    batch.lines.push(fault ? Buffer.alloc(0) : line)
    batch.bytes += bytes
  }
  if (batch.lines.length > 0) yield toBatch()
}

type Line = { line: Buffer; bytes: number; isTooLong: boolean }

/**
 * Splits the source at line feeds. It counts the bytes of a line that is too long, but does not store them
 * all.
 */
async function* linesOf(source: Source, maxBytes: number): AsyncGenerator<Line> {
  let pieces: Buffer[] = []
  let bytes = 0
  const add = (piece: Buffer) => {
    bytes += piece.length
    if (bytes < maxBytes) pieces.push(piece)
  }
  const takeLine = (): Line => {
    const line = { line: Buffer.concat(pieces), bytes: bytes + 1, isTooLong: bytes >= maxBytes }
    pieces = []
    bytes = 0
    return line
  }
  for await (const data of source) {
    const chunk = Buffer.from(data)
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end))
      yield takeLine()
      start = end + 1
    }
    if (start < chunk.length) add(chunk.subarray(start))
  }
  if (bytes > 0) yield takeLine()
}
