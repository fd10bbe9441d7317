import type { Schemas } from '@tiwala/contract'
import type { Service } from '../../operation.ts'
import { signReceipt } from '../../secrets/receipt.ts'
import type { Erasure } from './erase-citizen.sql.ts'

/** The receipt of an erasure. It is the same each time, unless the audit key was rotated. */
export async function toReceipt(
  { keys, config }: Service,
  { subject, erased_at, request_id }: Erasure,
): Promise<Schemas['ErasureReceipt']> {
  const claims = {
    event: 'citizen.erased',
    subject,
    requestId: request_id,
    issuer: config.publicUrl,
    at: erased_at,
  }
  return { erased_at: erased_at.toISOString(), subject, receipt: await signReceipt(keys, claims) }
}
