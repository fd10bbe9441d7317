import { stat } from 'node:fs/promises'
import { countAlarms } from '../anomalies/watch-partners.ts'
import { countMonthsAhead } from '../audit/audit-partitions.sql.ts'
import { readUnsealedSeconds } from '../audit/sealing/sealing.sql.ts'
import { countPending } from '../authorizations/expiry.sql.ts'
import { countDaysAhead } from '../authorizations/record-partitions.sql.ts'
import { documents } from '../contract/documents.ts'
import { findUnsafeSettings } from '../database/unsafe-settings.sql.ts'
import { readArchivedSeconds } from '../database/wal-archive.sql.ts'
import { readBoundTimes } from '../keys/bind-keys.sql.ts'
import {
  auditPartitionsAhead,
  backupAgeSeconds,
  backupMissing,
  buildInfo,
  expiringSecrets,
  keyAgeSeconds,
  recordPartitionsAhead,
  partnerAnomalies,
  pendingAuthorizations,
  toPartnerLabel,
  unsafeSettings,
  unsealedSeconds,
  waiting,
  walAgeSeconds,
  webhookEvents,
  webhookOldestSeconds,
} from '../metrics/registry.ts'
import type { Service } from '../operation.ts'
import { countExpiring } from '../partners/credentials/expiry-reminder.sql.ts'
import { VERSION } from '../program.ts'
import type { KeyRing } from '../secrets/key-ring.ts'
import { countEvents, readOldestPending } from '../webhooks/count-events.sql.ts'

type ListedKey = ReturnType<KeyRing['list']>[number]

/** The metrics that are read from the database and the key ring at each collection. */
export function provideGauges({ db, config, keys, notifications }: Service): void {
  buildInfo.set({ version: VERSION, contract: documents.operator.info.version, node: process.version }, 1)
  waiting.readWith(notifications.waitingByKind)
  pendingAuthorizations.readWith(() => countPending(db))
  if (config.databaseUrl) unsafeSettings.readWith(async () => (await findUnsafeSettings(db)).length)
  walAgeSeconds.readWith(async () => (await readArchivedSeconds(db)) ?? {})
  backupAgeSeconds.readWith(async () => {
    const ages = Object.entries(await readAges(config.backupFiles))
    return Object.fromEntries(ages.filter((entry): entry is [string, number] => entry[1] !== null))
  })
  backupMissing.readWith(async () => {
    const ages = Object.entries(await readAges(config.backupFiles))
    return Object.fromEntries(ages.map(([name, age]) => [name, Number(age === null)]))
  })
  unsealedSeconds.readWith(() => readUnsealedSeconds(db))
  recordPartitionsAhead.readWith(() => countDaysAhead(db))
  auditPartitionsAhead.readWith(() => countMonthsAhead(db))
  expiringSecrets.readWith(() => countExpiring(db, config.reminderDays))
  partnerAnomalies.readWith(() => countAlarms({ db }, toPartnerLabel))
  webhookEvents.readWith(async () => ({
    PENDING: await countEvents(db, 'PENDING'),
    DEAD: await countEvents(db, 'DEAD'),
  }))
  webhookOldestSeconds.readWith(() => readOldestPending(db))
  keyAgeSeconds.readWith(async () => {
    // A key without `active_from`, as `init` makes it, is as old as its use by this database.
    const boundTimes = await readBoundTimes(db)
    const sinceMs = ({ kid, active_from }: ListedKey) =>
      active_from === null ? (boundTimes.get(kid)?.getTime() ?? Date.now()) : Date.parse(active_from)
    return Object.fromEntries(
      keys
        .list()
        .filter(({ is_current }) => is_current)
        .map((key) => [key.purpose, Math.max(0, Date.now() - sinceMs(key)) / 1_000]),
    )
  })
}

/** Seconds since each file or folder was changed; null if this process cannot see it. */
export async function readAges(files: Record<string, string>): Promise<Record<string, number | null>> {
  const ages = await Promise.all(
    Object.entries(files).map(async ([name, path]): Promise<[string, number | null]> => {
      const found = await stat(path).catch(() => undefined)
      return [name, found ? Math.max(0, Date.now() - found.mtimeMs) / 1_000 : null]
    }),
  )
  return Object.fromEntries(ages)
}
