import { countMonthsAhead } from '../audit/audit-partitions.sql.ts'
import { readUnsealedSeconds } from '../audit/sealing/sealing.sql.ts'
import { countDaysAhead } from '../authorizations/record-partitions.sql.ts'
import type { Database } from '../database/connect.ts'
import { allowedConnections } from '../database/fitness.ts'
import { readSchemaVersion } from '../database/migrate.ts'
import { findUnsafeSettings } from '../database/unsafe-settings.sql.ts'
import { readArchivedSeconds } from '../database/wal-archive.sql.ts'
import { readAges } from '../housekeeping/gauges.ts'
import type { Operation } from '../operation.ts'
import { countEvents, readOldestPending } from '../webhooks/count-events.sql.ts'
import { countConnections, findProcesses, type ProcessRow } from './fleet.sql.ts'

export const readFleet: Operation<'readFleet'> = async ({ db, config }) => {
  const ages = await readAges(config.backupFiles)
  const wal = await readArchivedSeconds(db)
  return {
    status: 200,
    body: {
      processes: (await findProcesses(db)).map(toProcess),
      schema: (await readSchemaVersion(db))!,
      ...(config.databaseUrl ? await readConnections(db) : { connections: [], max_connections: null }),
      unsealed_seconds: await readUnsealedSeconds(db),
      deliveries: {
        pending: await countEvents(db, 'PENDING'),
        dead: await countEvents(db, 'DEAD'),
        oldest_pending_seconds: await readOldestPending(db),
      },
      record_days_ahead: await countDaysAhead(db),
      audit_months_ahead: await countMonthsAhead(db),
      unsafe_settings: config.databaseUrl ? await findUnsafeSettings(db) : [],
      backups: Object.entries({ ...ages, ...(wal !== undefined && { wal }) }).map(([name, age_seconds]) => ({
        name,
        age_seconds,
      })),
    },
  }
}

async function readConnections(db: Database) {
  const { connections, limits } = await countConnections(db)
  return { connections, max_connections: allowedConnections(limits) }
}

const toProcess = ({ started_at, seen_at, housekept_at, housekeeping_failed_at, ...row }: ProcessRow) => ({
  ...row,
  started_at: started_at.toISOString(),
  seen_at: seen_at.toISOString(),
  housekept_at: housekept_at?.toISOString() ?? null,
  housekeeping_failed_at: housekeeping_failed_at?.toISOString() ?? null,
})
