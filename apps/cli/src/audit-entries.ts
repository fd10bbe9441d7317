import type { Schemas } from '@tiwala/contract'
import { type AuditEntry, findEvents } from './audit-range.ts'
import type { OperatorTransport } from './connect.ts'
import { rowsOf } from './document.ts'
import { type Io, readLines } from './io.ts'
import { paginate } from './paginate.ts'
import { UsageError } from './usage-error.ts'

/** `event`: the event that is at fault, if it is not the checkpoint itself. */
export type ReportFault = (
  checkpoint: number,
  what: Schemas['AuditFault']['what'],
  event?: Schemas['AuditEvent'],
) => void

/**
 * Reads the audit from the service: the keys, then the checkpoints newest first, then the events newest
 * first. With `after`, only the checkpoints after this one, their events, and the newest events that no
 * checkpoint seals yet.
 */
export async function* fetchEntries(call: OperatorTransport, after = 0): AsyncGenerator<AuditEntry> {
  const { keys, latest_archived_checkpoint: archived } = (await call('listAuditKeys', {})).body
  for (const key of keys) yield { key }
  const numbers: number[] = []
  let signature: string | undefined
  for await (const checkpoint of checkpointsAfter(call, after)) {
    numbers.push(checkpoint.checkpoint)
    signature ??= checkpoint.signature
    yield { checkpoint }
  }
  const newest = numbers[0] ?? after
  const isArchived = (checkpoint: number) => archived !== null && checkpoint <= archived
  if (after === 0)
    // The archive also has the events of the next month that its last checkpoint seals.
    for await (const event of findEvents(call, {})) {
      if (!event.seal || !isArchived(event.seal.checkpoint)) yield { event }
    }
  if (after === 0 && (await call('listAuditKeys', {})).body.latest_archived_checkpoint !== archived)
    throw new UsageError('Months of the audit were archived meanwhile. Run the command again.')
  for (const checkpoint of numbers)
    if (after > 0 || isArchived(checkpoint))
      for await (const event of findEvents(call, { checkpoint })) yield { event }
  if (after > 0)
    for await (const event of findEvents(call, {})) {
      if (event.seal && event.seal.checkpoint <= newest) break
      yield { event }
    }
  yield { end: { checkpoint: newest, signature } }
}

async function* checkpointsAfter(call: OperatorTransport, after: number) {
  for await (const page of paginate(call, 'listCheckpoints', {}))
    for (const row of rowsOf('listCheckpoints', page)) {
      const checkpoint = row as Schemas['AuditCheckpoint']
      if (checkpoint.checkpoint <= after) return
      yield checkpoint
    }
}

/** Reads the same entries from an export file. It sends no request to the service. */
export async function* readEntries(io: Io, path: string): AsyncGenerator<AuditEntry> {
  let lineNumber = 0
  for await (const line of readLines(io, path)) {
    lineNumber++
    const entry = parseJson(line)
    if (!isEntry(entry))
      throw new UsageError(
        `Line ${lineNumber} of ${path} is not an audit entry. Give a file from "tiwala audit export".`,
      )
    yield entry
  }
}

function isEntry(entry: unknown): entry is AuditEntry {
  const { key, checkpoint, event, end } = (entry ?? {}) as Record<string, Record<string, unknown> | undefined>
  if (end) return Number.isSafeInteger(end['checkpoint'])
  if (checkpoint)
    return typeof checkpoint['signed'] === 'string' && typeof checkpoint['signature'] === 'string'
  if (event)
    return event['seal'] === null || typeof (event['seal'] as Record<string, unknown>)['leaf'] === 'string'
  return typeof key?.['x'] === 'string'
}

/** Returns `undefined` if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
