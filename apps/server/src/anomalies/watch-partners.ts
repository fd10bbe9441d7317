import { inTransaction } from '../database/in-transaction.ts'
import { countedAfterSeconds } from '../figures/count-records.sql.ts'
import type { Service } from '../operation.ts'
import { setPartnerStatus } from '../partners/status/partner-status.sql.ts'
import { updateSlowed } from '../partners/status/slowed.sql.ts'
import { mintAnomalyId, mintRequestId } from '../secrets/tokens.ts'
import { findAlarms, storeAnomalies } from './anomaly.sql.ts'
import { type Breach, compare, compareHour, describeBreach } from './anomaly.ts'
import { findNewRanges, measureDisputes, measureHour, takeTurn } from './measure.sql.ts'

const EVERY_SECONDS = 300
const MAX_SHOWN_RANGES = 5
const ACTOR = 'anomaly guard'

/** Measures all partners, in one process at a time, and acts as the settings say: all in one transaction. */
export async function watchPartners({
  db,
  config,
  partnerCache,
}: Pick<Service, 'db' | 'config' | 'partnerCache'>): Promise<void> {
  const hasRun = await inTransaction(db, async (tx) => {
    if (!(await takeTurn(tx, EVERY_SECONDS))) return false
    // A measure is usual again only after a whole hour, so the hour before counts, too. How citizens answered is known
    // some hours later, if they have as long to answer.
    const answersAgo = Math.floor(countedAfterSeconds(config.authorizationTtlSeconds) / 3_600)
    const ofHours: Breach[] = []
    for (const hoursAgo of new Set([0, 1, answersAgo, answersAgo + 1])) {
      const breachesOfHour = (await measureHour(tx, config.timeZone, hoursAgo)).flatMap(compareHour)
      ofHours.push(...breachesOfHour.filter(({ kind }) => hoursAgo <= 1 || kind === 'declines'))
    }
    const disputes = await measureDisputes(tx)
    const ranges = await findNewRanges(tx)
    const breaches = highest([
      ...ofHours,
      ...disputes.flatMap((each) => compare('disputes', each.partner_id, each.disputes, each.usual) ?? []),
      ...ranges.map((each) => ({
        partner_id: each.partner_id,
        kind: 'address' as const,
        expected: 0,
        threshold: 1,
        observed: each.ranges.length,
        address_ranges: each.ranges.slice(0, MAX_SHOWN_RANGES),
      })),
    ])
    const opened = await storeAnomalies(
      tx,
      breaches.map((breach) => ({
        ...breach,
        anomaly_id: mintAnomalyId(),
        action: config.anomalyActions[breach.kind] ?? null,
      })),
    )
    await updateSlowed(tx)
    for (const anomaly of opened.filter(({ action }) => action === 'suspend'))
      await setPartnerStatus({ db: tx, partnerCache }, anomaly.partner_code, 'SUSPENDED', {
        kind: 'partner.suspended',
        actor: ACTOR,
        requestId: mintRequestId(),
        reason: describeBreach(anomaly),
      })
    return true
  })
  if (hasRun) partnerCache.invalidate()
}

/** One of each partner and kind: two hours may both be unusual. */
function highest(breaches: Breach[]): Breach[] {
  const found = new Map<string, Breach>()
  for (const breach of breaches.toSorted((a, b) => a.observed - b.observed))
    found.set(`${breach.partner_id} ${breach.kind}`, breach)
  return [...found.values()]
}

/** The alarms by partner and kind, for the metric. */
export async function countAlarms(
  { db }: Pick<Service, 'db'>,
  toLabel: (partnerCode: string) => string,
): Promise<Record<string, Record<string, number>>> {
  const counts: Record<string, Record<string, number>> = {}
  for (const { partner_code, kind } of await findAlarms(db)) {
    const ofPartner = (counts[toLabel(partner_code)] ??= {})
    ofPartner[kind] = (ofPartner[kind] ?? 0) + 1
  }
  return counts
}
