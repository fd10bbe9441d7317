// Each process writes every 10 seconds that it runs, so that `readFleet` shows the processes of all machines.
import { startPollLoop } from '../background/poll-loop.ts'
import { describeError } from '../describe-error.ts'
import type { LastRuns } from '../housekeeping/housekeeping.ts'
import type { Service } from '../operation.ts'
import { mintProcessId } from '../secrets/tokens.ts'
import type { Versions } from '../versions.ts'
import { deleteProcess, writeProcess } from './fleet.sql.ts'

const EVERY_MS = 10_000

/** `versions`: of this program. */
export function startHeartbeat(
  { db, keys, log }: Pick<Service, 'db' | 'keys' | 'log'>,
  { service: version, contract, schema }: Versions,
  lastRuns: Readonly<LastRuns>,
): { stop(): Promise<void> } {
  const process_id = mintProcessId()
  const started_at = new Date()
  const node = process.versions.node
  const beat = async () => {
    const ring = keys.list().map(({ purpose, kid, is_current }) => ({ purpose, kid, is_current }))
    const own = { process_id, version, contract, schema, node, started_at, ...lastRuns, keys: ring }
    await writeProcess(db, own).catch((error: unknown) =>
      log.warn(describeError(error), 'this process could not write that it runs; trying again'),
    )
  }
  const loop = startPollLoop(EVERY_MS, beat)
  return {
    stop: async () => {
      await loop.end()
      // Without the database, the row says in half a minute that the process is gone.
      await deleteProcess(db, process_id).catch(() => {})
    },
  }
}
