import { createInterface } from 'node:readline'
import type { Schemas } from '@tiwala/contract'
import type { OperatorTransport } from './connect.ts'
import { rowsOf } from './document.ts'
import { type Io, openSource } from './io.ts'
import { paginate } from './paginate.ts'
import { UsageError } from './usage-error.ts'

/**
 * One line of an audit export. The keys, checkpoints and events are all that an independent verification
 * needs.
 */
export type AuditEntry =
  | { key: Schemas['AuditKey'] }
  | { checkpoint: Schemas['AuditCheckpoint'] }
  | { event: Schemas['AuditEvent'] }

/** `event`: the event that is at fault, if it is not the checkpoint itself. */
export type ReportFault = (
  checkpoint: number,
  what: Schemas['AuditFault']['what'],
  event?: Schemas['AuditEvent'],
) => void

/**
 * Reads the audit from the service: the keys, then the checkpoints newest first, then the events newest
 * first.
 */
export async function* fetchEntries(call: OperatorTransport): AsyncGenerator<AuditEntry> {
  const { keys } = (await call('listAuditKeys', {})).body
  for (const key of keys) yield { key }
  for await (const page of paginate(call, 'listCheckpoints', {}))
    for (const row of rowsOf('listCheckpoints', page)) yield { checkpoint: row as Schemas['AuditCheckpoint'] }
  for await (const page of paginate(call, 'listAuditEvents', {}))
    for (const row of rowsOf('listAuditEvents', page)) yield { event: row as Schemas['AuditEvent'] }
}

/** Reads the same entries from an export file. It sends no request to the service. */
export async function* readEntries(io: Io, path: string): AsyncGenerator<AuditEntry> {
  const source = openSource(io, path)
  let lineNumber = 0
  for await (const line of createInterface({ input: source, crlfDelay: Infinity })) {
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
  const { key, checkpoint, event } = (entry ?? {}) as Record<string, Record<string, unknown> | undefined>
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
