// What the pool adds to each connection to PostgreSQL: prepared statements, a timeout, and closing after a
// failover.
import type { EventEmitter } from 'node:events'
import type pg from 'pg'
import { summarize, tracing } from '../metrics/tracing.ts'

/** The SQLSTATE of a server that has become read-only or is shutting down. */
const DEMOTED = /^(25006|57P0[123])$/

/** The SQLSTATE of a full disk. */
const DISK_FULL = '53100'

/**
 * Calls `onFullDisk` when the disk of the server is full. Closes a connection to a server that was demoted, instead of
 * returning it to the pool: the next request opens a new one to the server that has the address then.
 */
export function watchErrors(client: pg.PoolClient, onFullDisk: () => void): void {
  const { connection } = client as unknown as {
    connection: EventEmitter<{ errorMessage: [{ code?: string }] }>
  }
  connection.on('errorMessage', ({ code = '' }) => {
    if (code === DISK_FULL) onFullDisk()
    if (DEMOTED.test(code)) void client.end().catch(() => {})
  })
}

const names = new Map<string, string>()

/**
 * How long a connection keeps its plans. A plan that PostgreSQL made while a table was nearly empty reads the
 * whole table, and PostgreSQL would keep it until the table is analyzed. A new plan uses the current number
 * of pages. Planning costs about 1 ms per statement.
 */
export const PLANS_KEPT_MS = 10_000

/**
 * Prepares each statement once per connection, so that PostgreSQL parses it once and plans it every 10
 * seconds instead of at each request. There are few texts, since all of them are written in the program.
 * Without `canPrepare`, it is parsed and planned each time: the next statement may reach another connection of a pooler.
 *
 * If a response does not come within `timeoutMs`, the connection is closed and never used again: a late
 * response would be taken for that of another statement.
 */
export function prepareStatements(
  client: pg.PoolClient,
  { timeoutMs, canPrepare }: { timeoutMs: number | undefined; canPrepare: boolean },
  onResult: (ms: number) => void,
): void {
  const send = client.query.bind(client) as (
    statement: pg.QueryConfig,
    callback: (error: Error | null, result: pg.QueryResult) => void,
  ) => void
  // A callback, because the promise of `client.query` costs garbage collections (`PERFORMANCE.md`).
  const query = (statement: pg.QueryConfig) =>
    new Promise<pg.QueryResult>((resolve, reject) => {
      const timer =
        timeoutMs === undefined ? undefined : setTimeout(() => void client.end().catch(() => {}), timeoutMs)
      const sentAtMs = performance.now()
      const span = tracing?.startChild('statement')
      send(statement, (error, result) => {
        clearTimeout(timer)
        onResult(performance.now() - sentAtMs)
        span?.end(
          { 'db.system.name': 'postgresql', 'db.query.summary': summarize(statement.text) },
          undefined,
          error !== null,
        )
        if (error) reject(error)
        else resolve(result)
      })
    })
  let plannedAtMs = performance.now()
  const prepared = (text: string, values: unknown[]) => {
    if (values.length === 0) return query({ text })
    if (!canPrepare) return query({ text, values })
    if (performance.now() - plannedAtMs >= PLANS_KEPT_MS) {
      plannedAtMs = performance.now()
      // The next statement is sent right after it, and reports a lost connection itself.
      void query({ text: 'discard plans' }).catch(() => {})
    }
    let name = names.get(text)
    if (name === undefined) names.set(text, (name = `tiwala_${names.size}`))
    return query({ name, text, values })
  }
  Object.assign(client, { query: prepared })
}
