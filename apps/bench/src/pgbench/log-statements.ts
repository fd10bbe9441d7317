// Preloaded into the server (`node --import`) to capture its statements: appends each statement and its
// values to a file before the server sends it to PostgreSQL. The server is otherwise unchanged, and no
// measured server runs with it.
import { appendFileSync } from 'node:fs'
import pg from 'pg'

type QueryInput = string | { text?: string; values?: unknown[] }
type Query = (this: pg.Client, input: QueryInput, ...rest: unknown[]) => unknown

const file = process.env['BENCH_STATEMENTS_FILE']!
const query = pg.Client.prototype.query as unknown as Query

const logAndQuery: Query = function (input, ...rest) {
  const text = typeof input === 'string' ? input : input.text
  const values = typeof input === 'string' ? rest[0] : input.values
  if (text !== undefined)
    appendFileSync(file, `${JSON.stringify({ text, values: Array.isArray(values) ? values : [] })}\n`)
  return query.call(this, input, ...rest)
}
pg.Client.prototype.query = logAndQuery as unknown as typeof pg.Client.prototype.query
