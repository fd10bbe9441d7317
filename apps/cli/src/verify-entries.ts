import type { Schemas } from '@tiwala/contract'
import type { ArchivedCheckpoint } from './archived-checkpoints.ts'
import type { ReportFault } from './audit-entries.ts'
import type { AuditEntry } from './audit-range.ts'
import { createChainVerifier } from './chain-verifier.ts'
import { createTreeVerifier } from './tree-verifier.ts'

type Fault = Schemas['AuditFault']

export type VerificationResult = {
  checked_checkpoints: number
  checked_rows: number
  unsealed_rows: number
  first_fault: Fault | null
}
/** Copies of keys and checkpoints that are stored where the service cannot change them. */
export type TrustAnchors = {
  keys?: Schemas['AuditKey'][] | undefined
  checkpoints?: readonly ArchivedCheckpoint[]
  /** The checkpoint with which the entries of a range begin. What was before and after is not verified. */
  first?: number | undefined
}

/**
 * Verifies the audit without trusting the service. It needs only the public keys, and implements only the
 * operator document and RFC 6962. If there are several faults, it returns the one at the lowest checkpoint
 * and position.
 */
export async function verifyEntries(
  entries: AsyncIterable<AuditEntry>,
  anchors: TrustAnchors,
  onEntry: (result: VerificationResult) => void,
): Promise<VerificationResult> {
  const result: VerificationResult = {
    checked_checkpoints: 0,
    checked_rows: 0,
    unsealed_rows: 0,
    first_fault: null,
  }
  const reportFault: ReportFault = (checkpoint, what, event) => {
    const fault: Fault = {
      checkpoint,
      position: event?.seal?.position ?? null,
      event: event?.id ?? null,
      what,
    }
    if (!result.first_fault || isBefore(fault, result.first_fault)) result.first_fault = fault
  }
  const keys = new Map(anchors.keys?.map((key) => [key.kid, key]))
  const chain = createChainVerifier(keys, anchors.checkpoints ?? [], reportFault, anchors.first)
  const trees = createTreeVerifier(reportFault)
  for await (const entry of entries) {
    if ('end' in entry) continue
    if ('key' in entry) {
      if (!anchors.keys) keys.set(entry.key.kid, entry.key)
    } else if ('checkpoint' in entry) {
      result.checked_checkpoints++
      chain.add(entry.checkpoint)
      trees.expect(entry.checkpoint)
    } else result[trees.add(entry.event) ? 'checked_rows' : 'unsealed_rows']++
    onEntry(result)
  }
  chain.end()
  trees.end()
  return result
}

const isBefore = (a: Fault, b: Fault): boolean =>
  a.checkpoint < b.checkpoint || (a.checkpoint === b.checkpoint && (a.position ?? -1) < (b.position ?? -1))
