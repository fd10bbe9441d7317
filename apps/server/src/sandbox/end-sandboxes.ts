import { startPollLoop } from '../background/poll-loop.ts'
import { describeError } from '../describe-error.ts'
import type { Service } from '../operation.ts'
import { deleteOwnedRows, deleteSomeOwnedRows } from './owned-rows.sql.ts'
import { findEnded, type Sandbox } from './sandboxes.sql.ts'

const CHECK_EVERY_MS = 60_000
const BATCH_SIZE = 20
const BATCH_ROWS = 5_000

type Ending = Pick<Service, 'db' | 'partnerCache' | 'log'>

export async function endSandbox({ db, partnerCache }: Ending, sandbox: Sandbox): Promise<void> {
  while (await deleteSomeOwnedRows(db, sandbox, BATCH_ROWS));
  await db.transaction().execute((tx) => deleteOwnedRows(tx, sandbox))
  partnerCache.invalidate()
}

/** Deletes the sandboxes whose time is over. If one cannot be deleted, the others still are. */
export async function endSandboxes(service: Ending): Promise<{ hasMore: boolean }> {
  const ended = await findEnded(service.db, BATCH_SIZE)
  let deleted = 0
  for (const sandbox of ended)
    try {
      await endSandbox(service, sandbox)
      deleted++
    } catch (error) {
      reportFailure(service, error)
    }
  return { hasMore: ended.length === BATCH_SIZE && deleted > 0 }
}

/** Any number of processes may do it. */
export function startEndingSandboxes(service: Service): { stop(): Promise<void> } {
  const loop = startPollLoop(CHECK_EVERY_MS, async () => {
    try {
      return (await endSandboxes(service)).hasMore
    } catch (error) {
      reportFailure(service, error)
      return false
    }
  })
  const stopListening = service.notifications.onGap(loop.wake)
  return {
    stop: () => {
      stopListening()
      return loop.end()
    },
  }
}

const reportFailure = ({ log }: Ending, error: unknown) =>
  log.warn(describeError(error), 'a sandbox could not be deleted; the next attempt is in a minute')
