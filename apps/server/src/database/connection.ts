// What becomes of each connection to PostgreSQL.
import type { EventEmitter } from 'node:events'
import type pg from 'pg'

/** SQLSTATE of a server that is read-only now, or ends. */
const DEMOTED = /^(25006|57P0[123])$/

/** Such a connection does not go back into the pool: the next request connects anew, to wherever the address leads by then. */
export function closeWhenDemoted(client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection: EventEmitter<{ errorMessage: [{ code?: string }] }> }
  connection.on('errorMessage', ({ code }) => {
    if (DEMOTED.test(code ?? '')) void client.end().catch(() => {})
  })
}

const names = new Map<string, string>()

/**
 * How long a connection keeps its plans. A plan that PostgreSQL made while a table was nearly empty reads all of the table, and PostgreSQL
 * would keep it until the table is analyzed. A new plan counts the pages of the table as it is. Planning costs about 1 ms a statement.
 */
export const PLANS_KEPT_MS = 10_000

/**
 * Every text of ours is written in the program, so there are few: each is parsed once for a connection, and planned now and then, not for
 * every request.
 * A connection whose answer does not come is ended, and never used again: the answer would be taken for that of another statement.
 */
export function prepareStatements(client: pg.PoolClient, longestMs: number | undefined): void {
  const send = client.query.bind(client) as (statement: pg.QueryConfig) => Promise<pg.QueryResult>
  const query = (statement: pg.QueryConfig) => {
    const timer = longestMs === undefined ? undefined : setTimeout(() => void client.end().catch(() => {}), longestMs)
    return send(statement).finally(() => clearTimeout(timer))
  }
  let plannedAtMs = performance.now()
  const prepared = (text: string, values: unknown[]) => {
    if (values.length === 0) return query({ text })
    if (performance.now() - plannedAtMs >= PLANS_KEPT_MS) {
      plannedAtMs = performance.now()
      // The statement is sent behind it, and fails by itself if the connection is lost.
      void query({ text: 'discard plans' }).catch(() => {})
    }
    let name = names.get(text)
    if (name === undefined) names.set(text, (name = `tiwala_${names.size}`))
    return query({ name, text, values })
  }
  Object.assign(client, { query: prepared })
}
