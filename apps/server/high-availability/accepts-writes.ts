import pg from 'pg'

const TIMEOUT_MS = 2_000

/** Whether a PostgreSQL answers and is no standby. */
export async function acceptsWrites(url: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
    return !rows[0]!.standby
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
