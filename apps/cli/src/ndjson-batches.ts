import { isUtf8 } from 'node:buffer'
import type { Schemas } from '@tiwala/contract'

const NEWLINE = 0x0a

/** Lines that go in one request. A line that cannot go at all is left blank, so that the others keep their numbers. */
export type Batch = { firstLine: number; text: string; bytes: number; faults: Schemas['LineFault'][] }
export type BatchLimits = { lines: number; bytes: number }

/** A file of any size in parts of bounded size; no more than one batch is held in memory. */
export async function* ndjsonBatches(source: AsyncIterable<Buffer | string>, limits: BatchLimits): AsyncGenerator<Batch> {
  let batch = { firstLine: 1, lines: [] as Buffer[], bytes: 0, faults: [] as Batch['faults'] }
  const toBatch = (): Batch => ({ ...batch, text: Buffer.concat(batch.lines.flatMap((line) => [line, Buffer.of(NEWLINE)])).toString() })
  for await (const { line, bytes, isCut } of linesOf(source, limits.bytes)) {
    if (batch.lines.length === limits.lines || (batch.lines.length > 0 && batch.bytes + bytes > limits.bytes)) {
      yield toBatch()
      batch = { firstLine: batch.firstLine + batch.lines.length, lines: [], bytes: 0, faults: [] }
    }
    const fault = isCut ? 'is longer than a request may be' : isUtf8(line) ? undefined : 'is not UTF-8'
    if (fault) batch.faults.push({ line: batch.firstLine + batch.lines.length, errors: { line: [fault] } })
    batch.lines.push(fault ? Buffer.alloc(0) : line)
    batch.bytes += bytes
  }
  if (batch.lines.length > 0) yield toBatch()
}

type Line = { line: Buffer; bytes: number; isCut: boolean }

/** What stands between line feeds. Of a line that is too long only the length is kept. */
async function* linesOf(source: AsyncIterable<Buffer | string>, mostBytes: number): AsyncGenerator<Line> {
  let pieces: Buffer[] = []
  let bytes = 0
  const add = (piece: Buffer) => {
    bytes += piece.length
    if (bytes < mostBytes) pieces.push(piece)
  }
  const take = (): Line => {
    const taken = { line: Buffer.concat(pieces), bytes: bytes + 1, isCut: bytes >= mostBytes }
    pieces = []
    bytes = 0
    return taken
  }
  for await (const given of source) {
    const chunk = Buffer.from(given)
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end))
      yield take()
      start = end + 1
    }
    if (start < chunk.length) add(chunk.subarray(start))
  }
  if (bytes > 0) yield take()
}
