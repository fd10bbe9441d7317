import pg from 'pg'

const OLDEST = 150_000
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
const CLOSED = /^Connection terminated/
const SILENT = /timeout expired|Query read timeout/

/** Refuses a PostgreSQL that will not do, in words for whoever sets `DATABASE_URL`, before anything is made. */
export async function requirePostgres(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: LONGEST_WAIT_MS, query_timeout: LONGEST_WAIT_MS })
  client.on('error', () => {})
  const problem = await look(client).catch(inWords)
  void client.end().catch(() => {})
  if (problem) throw new Error(`PostgreSQL at ${client.host}:${client.port} cannot be used: ${problem}. Check DATABASE_URL.`)
}

async function look(client: pg.Client): Promise<string | undefined> {
  await client.connect()
  const { rows } = await client.query<{ version: number; name: string; is_read_only: boolean }>(`
    select current_setting('server_version_num')::int as version, current_setting('server_version') as name,
           current_setting('transaction_read_only')::boolean as is_read_only`)
  const { version, name, is_read_only } = rows[0]!
  if (version < OLDEST) return `it is version ${name}, and Tiwala needs 15 or later`
  return is_read_only ? 'it is read-only (a standby?)' : undefined
}

/** PostgreSQL's own words are clear, and hold no password. */
function inWords(error: Error & { code?: string }): string {
  if (SILENT.test(error.message)) return `no answer within ${LONGEST_WAIT_MS / 1000} seconds`
  if (CLOSED.test(error.message)) return WORDS['ECONNRESET']!
  return WORDS[error.code ?? ''] ?? (error.message || (error.code ?? error.name)).replaceAll(/\s+/g, ' ').replace(/\.$/, '')
}
