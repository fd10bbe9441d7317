import { createInterface } from 'node:readline'
import type { Schemas } from '@tiwala/contract'
import type { OperatorTransport } from './connect.ts'
import { type Io, openSource } from './io.ts'
import { paginate, rowsOf } from './paginate.ts'
import { UsageError } from './usage-error.ts'

/** What an audit consists of for those who check it themselves; a line of an export is one of these. */
export type AuditEntry = { key: Schemas['AuditKey'] } | { checkpoint: Schemas['AuditCheckpoint'] } | { event: Schemas['AuditEvent'] }

/** The keys, the checkpoints from the newest down, then the events from the newest down: no event is younger than what was read before. */
export async function* fetchEntries(call: OperatorTransport): AsyncGenerator<AuditEntry> {
  const { keys } = (await call('listAuditKeys', {})).body
  for (const key of keys) yield { key }
  for await (const page of paginate(call, 'listCheckpoints', {}))
    for (const checkpoint of rowsOf('listCheckpoints', page)) yield { checkpoint: checkpoint as Schemas['AuditCheckpoint'] }
  for await (const page of paginate(call, 'listAuditEvents', {}))
    for (const event of rowsOf('listAuditEvents', page)) yield { event: event as Schemas['AuditEvent'] }
}

/** The same from an export, with no service at hand. */
export async function* readEntries(io: Io, path: string): AsyncGenerator<AuditEntry> {
  const source = openSource(io, path)
  let number = 0
  for await (const line of createInterface({ input: source, crlfDelay: Infinity })) {
    number++
    const entry = parseJson(line)
    if (!isEntry(entry)) throw new UsageError(`Line ${number} of ${path} is no line of an export of the audit.`)
    yield entry
  }
}

function isEntry(entry: unknown): entry is AuditEntry {
  const { key, checkpoint, event } = (entry ?? {}) as Record<string, Record<string, unknown> | undefined>
  if (checkpoint) return typeof checkpoint['signed'] === 'string' && typeof checkpoint['signature'] === 'string'
  if (event) return event['seal'] === null || typeof (event['seal'] as Record<string, unknown>)['leaf'] === 'string'
  return typeof key?.['x'] === 'string'
}

/** `undefined`: not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
