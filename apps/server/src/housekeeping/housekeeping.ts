import { deleteOld, eraseSnapshots, expirePending } from '../authorizations/expiry/store.ts'
import { startPollLoop } from '../background/poll-loop.ts'
import { deleteOldDiagnoses } from '../diagnostics/store.ts'
import type { Service } from '../operation.ts'
import { remindOfExpiry } from '../partners/credentials/store.ts'
import { deleteOldUsage } from '../partners/usage/store.ts'
import { deleteExpiredCodes } from '../sso/store.ts'
import { deleteFinished } from '../webhooks/store.ts'

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000
const AT_ONCE = 500

/**
 * What happens without anybody asking: pending records expire aloud, copies of profiles are erased, old things deleted, partners
 * reminded. No answer depends on it; any number of processes may do it.
 */
export function startHousekeeping({ db, config, notifications, log }: Service): { stop(): Promise<void> } {
  const { retention } = config
  /** Runs a task until it finds nothing more to do; what cannot be done now is done the next time. */
  const keep = (everyMs: number, task: () => Promise<boolean>) =>
    startPollLoop(everyMs, () =>
      task().catch((error: unknown) => {
        log.warn({ name: error instanceof Error ? error.name : 'unknown' }, 'housekeeping was interrupted')
        return false
      }),
    )
  const loops = [
    keep(SECOND_MS, async () => (await expirePending(db, AT_ONCE)) === AT_ONCE),
    keep(SECOND_MS, async () => (await eraseSnapshots(db, AT_ONCE)) === AT_ONCE),
    keep(HOUR_MS, async () => (await deleteOld(db, retention.codesHours, retention.recordsDays, AT_ONCE)) > 0),
    keep(HOUR_MS, async () => (await deleteExpiredCodes(db, retention.codesHours, AT_ONCE)) > 0),
    keep(HOUR_MS, async () => (await deleteFinished(db, retention.eventsDays, AT_ONCE)) > 0),
    keep(HOUR_MS, async () => (await deleteOldUsage(db, retention.recordsDays, AT_ONCE)) > 0),
    keep(HOUR_MS, async () => (await deleteOldDiagnoses(db, retention.diagnosesHours, AT_ONCE)) > 0),
    keep(HOUR_MS, async () => (await remindOfExpiry(db, config.reminderDays, AT_ONCE)) > 0),
  ]
  const stopListening = notifications.onClock(() => loops.forEach(({ wake }) => wake()))
  return {
    stop: async () => {
      stopListening()
      await Promise.all(loops.map(({ end }) => end()))
    },
  }
}
