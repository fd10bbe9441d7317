import type { Schemas } from '@tiwala/contract'
import { readStatement, type SignedCheckpoint } from '../checkpoints/checkpoint.ts'
import { hashLeaf, rootOf } from '../merkle.ts'
import type { Finding } from '../verify-audit/check-leaves.ts'
import type { ArchivedEntry } from './archive-files.ts'

/** The first fault of an archived checkpoint: its text, an event that differs from its leaf, or a leaf that does not lead to the signed root. */
export function checkMember(
  [head, ...rest]: ArchivedEntry[],
  checkpoint: SignedCheckpoint,
): Finding | undefined {
  const fault = (what: Finding['what'], position: number | null = null) => ({ position, event: null, what })
  if (!head || !('checkpoint' in head)) return fault('checkpoint_missing')
  const { signed, signature } = head.checkpoint
  if (signed !== checkpoint.body || signature !== checkpoint.signature) return fault('checkpoint_altered')
  const { first_position, last_position, root } = readStatement(checkpoint)
  const events = rest.flatMap((entry) => ('event' in entry ? [entry.event] : []))
  const misplaced = events.findIndex(({ seal }, position) => seal?.position !== position)
  if (misplaced >= 0) return fault('leaf_missing', misplaced)
  const count = last_position - first_position + 1
  if (events.length !== count)
    return fault(events.length < count ? 'leaf_missing' : 'leaf_added', Math.min(events.length, count))
  const altered = events.find((event) => !isEqualToLeaf(event))
  if (altered) return { position: altered.seal!.position, event: altered.id, what: 'event_altered' }
  const leaves = events.map(({ seal }) => hashLeaf(seal!.leaf))
  return rootOf(leaves).toString('base64url') === root ? undefined : fault('root_altered')
}

/** Whether the fields that are shown are those that were sealed. The time in the leaf is more precise. */
function isEqualToLeaf(event: Schemas['AuditEvent']): boolean {
  const sealed = JSON.parse(event.seal!.leaf) as Record<string, string | null>
  const names = ['kind', 'partner_code', 'tracking_no', 'request_id', 'actor', 'detail', 'reason'] as const
  return (
    // A leaf without a reason has no field for it.
    names.every((name) => event[name] === (sealed[name] ?? null)) &&
    Date.parse(event.occurred_at) === Date.parse(sealed['occurred_at'] ?? '')
  )
}
