// Reads an audit export after a restore, and finds the events that the restored database lacks.
//
// The export and the database share their audit up to the backup. From there on, each continues with its own
// checkpoints. A checkpoint names the one before it by its hash, so the shared ones are the first ones.
//
// Example: the export has the checkpoints 1 to 160. The backup had 1 to 100, and the restored service has
// sealed a new 101 meanwhile. The shared ones are 1 to 100. The events under the export's checkpoints 101 to
// 160 are lost.
//
// Guarantees: the keys come from the service, never from the export. Every returned event is under a verified
// checkpoint, except those in `unsealed`. An export that fails any check returns nothing.
import type { Schemas } from '@tiwala/contract'
import type { ArchivedCheckpoint } from './archived-checkpoints.ts'
import { type AuditEntry, findEvents } from './audit-range.ts'
import type { OperatorTransport } from './connect.ts'
import { isAccessChange, isReplayed } from './lost-changes.ts'
import { UsageError } from './usage-error.ts'
import { type VerificationResult, verifyEntries } from './verify-entries.ts'

type Event = Schemas['AuditEvent']

export type LostEvents = {
  /** The events to apply again, in the order in which they were sealed. */
  lost: Event[]
  /** Events at the end of the export that no checkpoint of it seals. They may be forged. */
  unsealed: Event[]
  /** The requests by which restores were completed. */
  completions: Set<string>
}
type Found = LostEvents & { first_fault: VerificationResult['first_fault'] }

export async function verifyLostEvents(
  call: OperatorTransport,
  entries: AsyncIterable<AuditEntry>,
  checkpoints: ArchivedCheckpoint[],
  onEntry: (result: VerificationResult) => void,
): Promise<Found> {
  const { keys, latest_checkpoint } = (await call('listAuditKeys', {})).body
  const signatures = new Map<number, string>()
  const found: LostEvents = { lost: [], unsealed: [], completions: new Set() }
  let [newest, shared] = [0, undefined as number | undefined]

  async function* collect(): AsyncGenerator<AuditEntry> {
    for await (const entry of entries) {
      if ('checkpoint' in entry) {
        const { checkpoint, signature } = entry.checkpoint
        signatures.set(checkpoint, signature)
        newest = Math.max(newest, checkpoint)
        // In a later part, more checkpoints may be shared.
        shared = undefined
      } else if ('event' in entry) {
        shared ??= await findShared(call, signatures, Math.min(newest, latest_checkpoint ?? 0))
        collectEvent(entry.event, shared)
      }
      yield entry
    }
  }
  function collectEvent(event: Event, sharedCheckpoint: number): void {
    if (event.kind === 'restore.completed') found.completions.add(event.request_id)
    if (!isReplayed(event) && !isAccessChange(event)) return
    if (!event.seal || event.seal.checkpoint > newest) {
      found.unsealed.push(event)
      return
    }
    // An earlier part of the export may have it unsealed.
    found.unsealed = found.unsealed.filter(({ id }) => id !== event.id)
    if (event.seal.checkpoint > sharedCheckpoint) found.lost.push(event)
  }

  const { first_fault } = await verifyEntries(collect(), { keys, checkpoints }, onEntry)
  if (first_fault) return { ...found, first_fault }
  const unsealed: Event[] = []
  for (const event of found.unsealed) if (!(await hasEvent(call, event))) unsealed.push(event)
  requireContinuation(shared, newest, unsealed.length > 0)
  found.lost.sort(({ seal: a }, { seal: b }) => a!.checkpoint - b!.checkpoint || a!.position - b!.position)
  return { ...found, unsealed, first_fault }
}

/** The backup may be newer than the last checkpoint of the export, and have what the export has without a seal. */
async function hasEvent(call: OperatorTransport, event: Event): Promise<boolean> {
  const { kind, occurred_at: from, request_id, detail } = event
  const to = new Date(Date.parse(from) + 1).toISOString()
  for await (const found of findEvents(call, { kind, from, to }))
    if (found.request_id === request_id && found.detail === detail) return true
  return false
}

/** The newest checkpoint that the export and the database share, at most `limit`; 0: none. */
async function findShared(
  call: OperatorTransport,
  signatures: ReadonlyMap<number, string>,
  limit: number,
): Promise<number> {
  let shared = 0
  while (shared < limit) {
    const middle = Math.ceil((shared + limit) / 2)
    const { body } = await call('readCheckpoint', { path: { checkpoint: middle } })
    if (body.signature === signatures.get(middle)) shared = middle
    else limit = middle - 1
  }
  return shared
}

function requireContinuation(shared: number | undefined, newest: number, hasUnsealed: boolean): void {
  if (newest === 0)
    throw new UsageError(
      '--replay: the file holds no checkpoint, so nothing of it is verified. ' +
        'Give a file from "tiwala audit export".',
    )
  if (!shared)
    throw new UsageError(
      '--replay: the export does not continue the audit of this database: they share no checkpoint. ' +
        'Give the export of the service whose backup was restored.',
    )
  if (shared === newest && !hasUnsealed)
    throw new UsageError(
      `--replay: the export has nothing that this database lacks: its newest checkpoint ${newest} is there. ` +
        'Run "tiwala restore-complete" without --replay, or give a newer export.',
    )
}
