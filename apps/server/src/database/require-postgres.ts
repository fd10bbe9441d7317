import pg from 'pg'
import { findServerProblem, POOLED } from './check-server.ts'
import { requestSettings } from './connect.ts'
import { connectionFor } from './session.ts'

const TIMEOUT_MS = 5_000

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOENT: 'nothing listens there',
  ENOTFOUND: 'the host is not known',
  EAI_AGAIN: 'the host is not known',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ECONNRESET: 'it closed the connection',
}
/** The error of a PgBouncer that does not ignore start options. */
const OPTIONS_REFUSED = /unsupported startup parameter/
const CLOSED = /^Connection terminated/
const TIMED_OUT = /timeout expired|Query read timeout/

/** Throws one line for the operator if PostgreSQL cannot be used. It connects as requests do. */
export async function requirePostgres(
  databaseUrl: string,
  processes: number,
  requestMs: number,
): Promise<void> {
  const settings = requestSettings(requestMs)
  const connection = connectionFor(databaseUrl, 'requests', settings)
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  })
  client.on('error', () => {})
  const problem = await client
    .connect()
    .then(() => findServerProblem(client, settings, processes))
    .catch(explain)
  await client.end().catch(() => {})
  if (problem) throw new Error(`PostgreSQL at ${client.host}:${client.port} cannot be used: ${problem}.`)
}

/**
 * The error messages of PostgreSQL are clear and contain no password, so they are used where there is no
 * better text.
 */
function explain(error: Error & { code?: string }): string {
  if (OPTIONS_REFUSED.test(error.message)) return POOLED
  if (TIMED_OUT.test(error.message))
    return `no response within ${TIMEOUT_MS / 1000} seconds. Check DATABASE_URL`
  if (CLOSED.test(error.message)) return `${REASONS['ECONNRESET']}. Check DATABASE_URL`
  const reason =
    REASONS[error.code ?? ''] ??
    (error.message || (error.code ?? error.name)).replaceAll(/\s+/g, ' ').replace(/\.$/, '')
  return `${reason}. Check DATABASE_URL`
}
