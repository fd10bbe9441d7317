// Preloaded into our server (`node --import`) when its statements are to be known: each is noted, with its values, as it is sent to
// PostgreSQL. Nothing else changes, and no server that is measured runs with it.
import { appendFileSync } from 'node:fs'
import pg from 'pg'

type Sent = string | { text?: string; values?: unknown[] }
type Query = (this: pg.Client, sent: Sent, ...more: unknown[]) => unknown

const file = process.env['BENCH_STATEMENTS_FILE']!
const send = pg.Client.prototype.query as unknown as Query

const noteAndSend: Query = function (sent, ...more) {
  const text = typeof sent === 'string' ? sent : sent.text
  const values = typeof sent === 'string' ? more[0] : sent.values
  if (text !== undefined) appendFileSync(file, `${JSON.stringify({ text, values: Array.isArray(values) ? values : [] })}\n`)
  return send.call(this, sent, ...more)
}
pg.Client.prototype.query = noteAndSend as unknown as typeof pg.Client.prototype.query
