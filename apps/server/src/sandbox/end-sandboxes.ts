import { startPollLoop } from '../background/poll-loop.ts'
import { describeError } from '../describe-error.ts'
import type { Service } from '../operation.ts'
import { deleteOwnedRows } from './owned-rows.sql.ts'
import { findEnded, type Sandbox } from './sandboxes.sql.ts'

const CHECK_EVERY_MS = 60_000
const BATCH_SIZE = 20

export async function endSandbox({ db, partnerCache }: Service, sandbox: Sandbox): Promise<void> {
  await db.transaction().execute((tx) => deleteOwnedRows(tx, sandbox))
  partnerCache.invalidate()
}

/** Deletes the sandboxes whose time is over. Any number of processes may do it. */
export function startEndingSandboxes(service: Service): { stop(): Promise<void> } {
  const loop = startPollLoop(CHECK_EVERY_MS, async () => {
    try {
      const ended = await findEnded(service.db, BATCH_SIZE)
      for (const sandbox of ended) await endSandbox(service, sandbox)
      return ended.length === BATCH_SIZE
    } catch (error) {
      service.log.warn(
        describeError(error),
        'sandboxes could not be deleted; the next attempt is in a minute',
      )
      return false
    }
  })
  const stopListening = service.notifications.onClock(loop.wake)
  return {
    stop: () => {
      stopListening()
      return loop.end()
    },
  }
}
