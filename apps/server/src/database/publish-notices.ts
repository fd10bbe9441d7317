// Sends the notifications of committed statements to all processes, many in one statement.
//
// Example: 20 citizens answer within 5 ms. Each of their statements commits by itself and returns a notice; one
// statement then sends the 20 notices.
//
// Guarantees: a notice is sent after its statement is committed. While the database cannot be reached, notices are
// kept and sent later; beyond `MAX_KEPT` the oldest are dropped. Those of a process that dies are lost.
import { setTimeout as sleep } from 'node:timers/promises'
import type { KyselyPlugin } from 'kysely'

/** Costs the receiver that long, and lets the statements of a few milliseconds share one. */
const BATCH_MS = 5
const MAX_BATCH = 500
const MAX_KEPT = 20_000
const RETRY_MS = 200

export type Publisher = ReturnType<typeof createPublisher>

/**
 * `send` sends notifications to all processes; it rejects if they may not have been sent. `receive` gets each one at
 * once, so that the next request to this process already sees its effect.
 */
export function createPublisher(
  send: (notices: string[]) => Promise<void>,
  receive: (notice: string) => void,
  onFailure: (error: unknown) => void,
) {
  const kept = new Set<string>()
  let running: Promise<void> | undefined
  let isClosed = false

  async function sendKept(): Promise<void> {
    let pauseMs = BATCH_MS
    while (kept.size > 0) {
      await sleep(pauseMs)
      const batch = [...kept].slice(0, MAX_BATCH)
      for (const notice of batch) kept.delete(notice)
      try {
        await send(batch)
        pauseMs = BATCH_MS
      } catch (error) {
        onFailure(error)
        for (const notice of batch) kept.add(notice)
        if (isClosed) break
        pauseMs = RETRY_MS
      }
    }
    // In the same turn as the check of the loop, so that a notice that comes now starts another run.
    running = undefined
  }

  return {
    publish(notice: string): void {
      receive(notice)
      kept.add(notice)
      if (kept.size > MAX_KEPT) kept.delete(kept.values().next().value!)
      running ??= sendKept()
    },
    /** Resolves when everything is sent, or could not be sent. */
    close: async () => {
      isClosed = true
      await running
    },
  }
}

/**
 * Publishes what a statement returns in the column `notice`, once the statement is committed. So no statement
 * inside a transaction has this column.
 */
export const publishNotices = ({ publish }: Publisher): KyselyPlugin => ({
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => {
    for (const { notice } of result.rows) if (typeof notice === 'string') publish(notice)
    return result
  },
})
