import pg from 'pg'
import { findServerProblem, POOLED } from './check-server.ts'
import { requestSettings } from './connect.ts'
import { connectionFor } from './session.ts'

const LONGEST_WAIT_MS = 5_000

const WORDS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOENT: 'nothing listens there',
  ENOTFOUND: 'the host is not known',
  EAI_AGAIN: 'the host is not known',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ECONNRESET: 'it closed the connection',
}
/** PgBouncer that is not set to ignore the start options. */
const OPTIONS_REFUSED = /unsupported startup parameter/
const CLOSED = /^Connection terminated/
const SILENT = /timeout expired|Query read timeout/

/** Refuses a PostgreSQL that does not fit, in one line for the operator, before anything is changed. It connects as the requests do. */
export async function requirePostgres(databaseUrl: string, processes: number, requestMs: number): Promise<void> {
  const settings = requestSettings(requestMs)
  const connection = connectionFor(databaseUrl, 'requests', settings)
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: LONGEST_WAIT_MS, query_timeout: LONGEST_WAIT_MS })
  client.on('error', () => {})
  const problem = await client
    .connect()
    .then(() => findServerProblem(client, settings, processes))
    .catch(inWords)
  await client.end().catch(() => {})
  if (problem) throw new Error(`PostgreSQL at ${client.host}:${client.port} cannot be used: ${problem}.`)
}

/** PostgreSQL's own words are clear, and hold no password. */
function inWords(error: Error & { code?: string }): string {
  if (OPTIONS_REFUSED.test(error.message)) return POOLED
  if (SILENT.test(error.message)) return `no answer within ${LONGEST_WAIT_MS / 1000} seconds. Check DATABASE_URL`
  if (CLOSED.test(error.message)) return `${WORDS['ECONNRESET']}. Check DATABASE_URL`
  const words = WORDS[error.code ?? ''] ?? (error.message || (error.code ?? error.name)).replaceAll(/\s+/g, ' ').replace(/\.$/, '')
  return `${words}. Check DATABASE_URL`
}
