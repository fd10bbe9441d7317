import { deleteOldAnomalies } from '../anomalies/anomaly.sql.ts'
import { watchPartners } from '../anomalies/watch-partners.ts'
import { deleteOldApprovals } from '../approvals/approval.sql.ts'
import { makeAuditPartitions, splitAuditDefault } from '../audit/audit-partitions.sql.ts'
import {
  deleteEndedRecords,
  deleteExpiredQrCodes,
  eraseSnapshots,
  expirePending,
  UNDATED_PARTITIONS,
} from '../authorizations/expiry.sql.ts'
import { dropRecordPartition, makeRecordPartitions } from '../authorizations/record-partitions.sql.ts'
import { startPollLoop } from '../background/poll-loop.ts'
import { addUpKeyCounts } from '../citizens/rewrap-citizens.sql.ts'
import { readClockAhead } from '../database/clock.ts'
import { createReclaimSpace } from '../database/reclaim-space.sql.ts'
import { findUnsafeSettings } from '../database/unsafe-settings.sql.ts'
import { describeError } from '../describe-error.ts'
import { deleteOldDiagnoses } from '../diagnostics/diagnosis.sql.ts'
import { countEndedRecords } from '../figures/count-records.sql.ts'
import { deleteOldFigures } from '../figures/figures.sql.ts'
import { deleteExpiredResponses } from '../idempotency/response.sql.ts'
import { deleteEndedSessions } from '../members/session.sql.ts'
import { housekeepingRuns } from '../metrics/registry.ts'
import type { Service } from '../operation.ts'
import { deleteEndedOperatorSessions } from '../operators/session.sql.ts'
import { remindOfExpiry } from '../partners/credentials/expiry-reminder.sql.ts'
import { deleteOldUsage } from '../partners/usage/usage.sql.ts'
import {
  deleteUndatedRequests,
  dropRequestPartition,
  makeRequestPartitions,
} from '../requests/partitions.sql.ts'
import { deleteExpiredSignIns, deleteUnopenedSignIns } from '../sign-ins/sign-in.sql.ts'
import { deleteExpiredState } from '../sign-ins/state.sql.ts'
import { deleteExpiredCodes } from '../sso/expired-codes.sql.ts'
import { deleteOldUse } from '../use/use.sql.ts'
import { deleteFinished } from '../webhooks/delete-finished.sql.ts'

const SECOND_MS = 1_000
const HALF_MINUTE_MS = 30_000
const HOUR_MS = 3_600_000
const BATCH_SIZE = 500
const MAX_CLOCK_DIFFERENCE_SECONDS = 3_600
/** About 100,000 events, so that requests wait for 0.1 s. */
const MAX_SPLIT_BYTES = 32 * 1_048_576

/** Says whether it may have more to do: true, or the number of rows of its batch. */
type Task = () => Promise<boolean | number | void>

/** When a task of this process last ended well, and last failed. */
export type LastRuns = Record<'housekept_at' | 'housekeeping_failed_at', Date | null>
export type Housekeeping = { lastRuns: Readonly<LastRuns>; stop(): Promise<void> }

/**
 * Periodic tasks: expire pending records and notify their partners, erase copies of profiles, delete old
 * rows, remind partners of secrets that expire. No response depends on them, and any number of processes may
 * run them.
 */
export function startHousekeeping(service: Service): Housekeeping {
  const { db, config, notifications, log } = service
  const { retention } = config
  const lastRuns: LastRuns = { housekept_at: null, housekeeping_failed_at: null }
  /**
   * Runs a task until it finds nothing more to do. A task that fails runs again after half a minute at most, so that
   * the alert on failures also sees those of hourly tasks.
   */
  const schedule = (everyMs: number, task: Task) =>
    startPollLoop(everyMs, () =>
      task().then(
        (hasMore) => {
          lastRuns.housekept_at = new Date()
          housekeepingRuns.inc({ outcome: 'done' })
          return Boolean(hasMore)
        },
        (error: unknown) => {
          lastRuns.housekeeping_failed_at = new Date()
          housekeepingRuns.inc({ outcome: 'failed' })
          log.warn(
            describeError(error),
            'a housekeeping task failed and runs again; check the database if this repeats',
          )
          return Math.min(everyMs, HALF_MINUTE_MS)
        },
      ),
    )
  /** Deletes what is old. What a wrong clock deletes cannot be restored, so two clocks must agree. */
  const scheduleDeletion = (everyMs: number, task: Task) =>
    schedule(everyMs, async () => {
      const ahead_seconds = await readClockAhead(db)
      if (Math.abs(ahead_seconds) > MAX_CLOCK_DIFFERENCE_SECONDS) {
        log.error(
          { ahead_seconds },
          'the clocks of the database and of this machine differ by more than an hour; nothing old is deleted',
        )
        throw new Error('The clocks differ.')
      }
      return task()
    })
  // The start refuses such settings. A reload of PostgreSQL can bring them later, and then the service goes on, since
  // no write is lost before a crash.
  let known = ''
  const reportUnsafeSettings = async () => {
    const names = (await findUnsafeSettings(db)).join(', ')
    if (names && names !== known)
      log.error(`a crash of PostgreSQL would lose acknowledged writes: set to on, and reload: ${names}`)
    known = names
  }
  const reclaimSpace = createReclaimSpace(db)
  const loops = [
    // The embedded database has no crash of its own, and its settings cannot change.
    schedule(HALF_MINUTE_MS, config.databaseUrl ? reportUnsafeSettings : () => reclaimSpace()),
    schedule(SECOND_MS, async () => (await expirePending(db, BATCH_SIZE)) === BATCH_SIZE),
    schedule(SECOND_MS, async () => (await eraseSnapshots(db, BATCH_SIZE)) === BATCH_SIZE),
    scheduleDeletion(HOUR_MS, () => deleteExpiredQrCodes(db, retention.codesHours, BATCH_SIZE)),
    schedule(HALF_MINUTE_MS, () => addUpKeyCounts(db)),
    schedule(HALF_MINUTE_MS, () => makeRecordPartitions(db)),
    schedule(HALF_MINUTE_MS, () => makeAuditPartitions(db)),
    schedule(HALF_MINUTE_MS, () => splitAuditDefault(db, MAX_SPLIT_BYTES)),
    scheduleDeletion(HALF_MINUTE_MS, () => dropRecordPartition(db, retention.recordsDays)),
    schedule(HALF_MINUTE_MS, () => makeRequestPartitions(db)),
    scheduleDeletion(HALF_MINUTE_MS, () => dropRequestPartition(db, retention.requestsDays)),
    scheduleDeletion(HOUR_MS, () => deleteUndatedRequests(db, retention.requestsDays, BATCH_SIZE)),
    scheduleDeletion(HOUR_MS, () => deleteEndedSessions(db, config.sessions.idleMinutes, BATCH_SIZE)),
    scheduleDeletion(HOUR_MS, () => deleteEndedOperatorSessions(db, config.sessions.idleMinutes, BATCH_SIZE)),
    ...UNDATED_PARTITIONS.map((partition) =>
      scheduleDeletion(HOUR_MS, () => deleteEndedRecords(db, partition, retention.recordsDays, BATCH_SIZE)),
    ),
    scheduleDeletion(HOUR_MS, () => deleteExpiredCodes(db, retention.codesHours, BATCH_SIZE)),
    scheduleDeletion(HOUR_MS, () => deleteExpiredSignIns(db, retention.codesHours, BATCH_SIZE)),
    scheduleDeletion(HOUR_MS, () => deleteUnopenedSignIns(db, BATCH_SIZE)),
    scheduleDeletion(HOUR_MS, () => deleteExpiredState(db, BATCH_SIZE)),
    scheduleDeletion(HALF_MINUTE_MS, () => deleteExpiredResponses(db, BATCH_SIZE)),
    scheduleDeletion(HOUR_MS, () => deleteFinished(db, retention.eventsDays, BATCH_SIZE)),
    scheduleDeletion(HOUR_MS, () => deleteOldUsage(db, retention.recordsDays, BATCH_SIZE)),
    schedule(HALF_MINUTE_MS, () => countEndedRecords(db, config.authorizationTtlSeconds)),
    scheduleDeletion(HOUR_MS, () => deleteOldFigures(db, BATCH_SIZE)),
    scheduleDeletion(HOUR_MS, () => deleteOldUse(db, BATCH_SIZE)),
    schedule(HALF_MINUTE_MS, () => watchPartners(service)),
    scheduleDeletion(HOUR_MS, () => deleteOldAnomalies(db, retention.recordsDays, BATCH_SIZE)),
    scheduleDeletion(HOUR_MS, () => deleteOldApprovals(db, retention.recordsDays, BATCH_SIZE)),
    scheduleDeletion(HOUR_MS, () => deleteOldDiagnoses(db, retention.diagnosesHours, BATCH_SIZE)),
    schedule(HOUR_MS, () => remindOfExpiry(db, config.reminderDays, BATCH_SIZE)),
  ]
  const stopListening = notifications.onGap(() => loops.forEach(({ wake }) => wake()))
  return {
    lastRuns,
    stop: async () => {
      stopListening()
      await Promise.all(loops.map(({ end }) => end()))
    },
  }
}
