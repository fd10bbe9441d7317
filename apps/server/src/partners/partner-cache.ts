// The partners that were authenticated a moment ago, with their secrets, so that a partner that sends a
// thousand requests a second does not cause a thousand queries.
//
// An entry is valid for 250 ms after its query was sent, and until this process changes any partner or
// credential. A change by another process therefore takes effect here within 250 ms. A request that must not
// rely on the cache reads the database (`isFresh`). Only a valid secret makes an entry, and the number of entries is
// limited.
//
// Example: A queries partner 7 and caches it. 100 ms later the operator suspends partner 7 through this
// process: `invalidate` ends all entries, and the next request of partner 7 reads the database and is
// refused.
import type { Database } from '../database/connect.ts'

export const CACHE_TTL_MS = 250
/** An entry takes about a kilobyte. Partners of sandboxes come and go. */
export const MAX_ENTRIES = 10_000

export type PartnerCache<Entry> = {
  /** `isCurrent`: the entry is still valid. An older one shows only what was read last. */
  get(key: string): { entry: Entry; isCurrent: boolean } | undefined
  /** `queriedAtMs`: when the query was sent, on the clock of `performance.now()`. */
  set(key: string, entry: Entry, queriedAtMs: number): void
  /** Ends every entry, because a partner or a credential changed. */
  invalidate(): void
}

/**
 * What a statement that changes a partner or a credential needs. It invalidates the cache when it is done.
 */
export type PartnerWriter = { db: Database; partnerCache: Pick<PartnerCache<never>, 'invalidate'> }

export function createPartnerCache<Entry>(): PartnerCache<Entry> {
  const entries = new Map<string, { entry: Entry; queriedAtMs: number }>()
  let invalidatedAtMs = -Infinity
  return {
    get: (key) => {
      const found = entries.get(key)
      const validSinceMs = Math.max(invalidatedAtMs, performance.now() - CACHE_TTL_MS)
      return found && { entry: found.entry, isCurrent: found.queriedAtMs > validSinceMs }
    },
    set: (key, entry, queriedAtMs) => {
      // A map keeps the order of insertion, so the first entry is the oldest. Its partner is read again.
      if (entries.size >= MAX_ENTRIES && !entries.has(key)) entries.delete(entries.keys().next().value!)
      entries.set(key, { entry, queriedAtMs })
    },
    // A query that was sent before the change may still return the state before it: its entry is not valid
    // either.
    invalidate: () => void (invalidatedAtMs = performance.now()),
  }
}
