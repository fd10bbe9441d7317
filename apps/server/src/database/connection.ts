// What becomes of each connection to PostgreSQL.
import type { EventEmitter } from 'node:events'
import type pg from 'pg'

/** SQLSTATE of a server that is read-only now, or ends. */
const DEMOTED = /^(25006|57P0[123])$/

/** Such a connection does not go back into the pool: the next request connects anew, to wherever the address leads by then. */
export function leaveWhenDemoted(client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection: EventEmitter<{ errorMessage: [{ code?: string }] }> }
  connection.on('errorMessage', ({ code }) => {
    if (DEMOTED.test(code ?? '')) void client.end().catch(() => {})
  })
}

const names = new Map<string, string>()

/**
 * Every text of ours is written in the program, so there are few: each is parsed and planned once for a connection, not once for a request.
 * A connection whose answer does not come is ended, and never used again: the answer would be taken for that of another statement.
 */
export function prepareStatements(client: pg.PoolClient, longestMs: number | undefined): void {
  const send = client.query.bind(client) as (statement: pg.QueryConfig) => Promise<pg.QueryResult>
  const query = (statement: pg.QueryConfig) => {
    const timer = longestMs === undefined ? undefined : setTimeout(() => void client.end().catch(() => {}), longestMs)
    return send(statement).finally(() => clearTimeout(timer))
  }
  const prepared = (text: string, values: unknown[]) => {
    if (values.length === 0) return query({ text })
    let name = names.get(text)
    if (name === undefined) names.set(text, (name = `tiwala_${names.size}`))
    return query({ name, text, values })
  }
  Object.assign(client, { query: prepared })
}
