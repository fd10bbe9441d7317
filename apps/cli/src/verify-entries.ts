import type { Schemas } from '@tiwala/contract'
import type { ArchivedCheckpoint } from './archived-checkpoints.ts'
import type { AuditEntry } from './audit-entries.ts'
import { createChainVerifier } from './chain-verifier.ts'
import { createTreeVerifier } from './tree-verifier.ts'

type Fault = Schemas['AuditFault']

export type VerificationResult = { checked_checkpoints: number; checked_rows: number; unsealed_rows: number; first_fault: Fault | null }
/** Keys and checkpoints that were kept where the service cannot reach them. */
export type TrustAnchors = { keys?: Schemas['AuditKey'][] | undefined; checkpoints?: readonly ArchivedCheckpoint[] }
export type ReportFault = (checkpoint: number, what: Fault['what'], event?: Schemas['AuditEvent']) => void

/** What somebody who trusts only the public keys can find out about the audit, from the operator document and RFC 6962 alone. */
export async function verifyEntries(
  entries: AsyncIterable<AuditEntry>,
  kept: TrustAnchors,
  onEntry: (found: VerificationResult) => void,
): Promise<VerificationResult> {
  const found: VerificationResult = { checked_checkpoints: 0, checked_rows: 0, unsealed_rows: 0, first_fault: null }
  const reportFault: ReportFault = (checkpoint, what, event) => {
    const fault: Fault = { checkpoint, position: event?.seal?.position ?? null, event: event?.id ?? null, what }
    if (!found.first_fault || isBefore(fault, found.first_fault)) found.first_fault = fault
  }
  const keys = new Map(kept.keys?.map((key) => [key.kid, key]))
  const [chain, trees] = [createChainVerifier(keys, kept.checkpoints ?? [], reportFault), createTreeVerifier(reportFault)]
  for await (const entry of entries) {
    if ('key' in entry) {
      if (!kept.keys) keys.set(entry.key.kid, entry.key)
    } else if ('checkpoint' in entry) {
      found.checked_checkpoints++
      chain.add(entry.checkpoint)
      trees.expect(entry.checkpoint)
    } else found[trees.add(entry.event) ? 'checked_rows' : 'unsealed_rows']++
    onEntry(found)
  }
  chain.end()
  trees.end()
  return found
}

const isBefore = (a: Fault, b: Fault): boolean =>
  a.checkpoint < b.checkpoint || (a.checkpoint === b.checkpoint && (a.position ?? -1) < (b.position ?? -1))
