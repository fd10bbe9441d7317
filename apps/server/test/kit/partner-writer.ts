import type { Database } from '../../src/database/connect.ts'
import type { PartnerWriter } from '../../src/partners/partner-cache.ts'

/** What the functions that change partners need, without a service. */
export const writerIn = (db: Database): PartnerWriter => ({ db, partnerCache: { invalidate() {} } })

/** For functions that begin a transaction themselves: they run within this one. */
export const withinTransaction = (tx: Database): Database =>
  ({ transaction: () => ({ execute: (act: (db: Database) => unknown) => act(tx) }) }) as never
