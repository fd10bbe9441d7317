import type { Database } from '../../database/connect.ts'
import type { CredentialKind } from '../credentials/store.ts'
import type { ProvenPartner } from '../store.ts'
import type { Secret } from './store.ts'

/** So much later at most, what changed by another process holds in this one. DESIGN section 8 allows a second. */
export const REMEMBERED_MS = 250

/** `askedAtMs`: before the database was asked, on the clock of `performance`. */
type Remembered = { partner: Omit<ProvenPartner, 'credential_id'>; secrets: Secret[]; askedAtMs: number }

/** By the kind of secret and the code it comes with: as many as have ever proved themselves here. */
const remembered = new WeakMap<Database, Map<string, Remembered>>()
let changedAtMs = -Infinity

/** A partner that proved itself a moment ago. Of one that calls a thousand times a second, the database is not asked each time. */
export function recall(db: Database, kind: CredentialKind, code: string): Remembered | undefined {
  const known = remembered.get(db)?.get(`${kind} ${code}`)
  const sinceMs = Math.max(changedAtMs, performance.now() - REMEMBERED_MS)
  return known && known.askedAtMs > sinceMs ? known : undefined
}

export function remember(db: Database, kind: CredentialKind, code: string, known: Remembered): void {
  const partners = remembered.get(db) ?? new Map<string, Remembered>()
  remembered.set(db, partners)
  partners.set(`${kind} ${code}`, known)
}

/** Empties the cache, because a partner or a credential changed: results of earlier queries are no longer used. */
export const partnersChanged = (): void => void (changedAtMs = performance.now())
