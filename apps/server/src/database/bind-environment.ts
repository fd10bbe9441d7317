import { sql } from 'kysely'
import type { Database } from './connect.ts'

/**
 * Binds a database to the environment that first starts on it. A sandbox on live data would give that data to
 * everyone.
 */
export async function bindEnvironment(db: Database, environment: 'sandbox' | 'live'): Promise<void> {
  await sql`insert into installation (environment) values (${environment}) on conflict do nothing`.execute(db)
  await requireEnvironment(db, environment)
}

/** Throws if the database belongs to the other environment. It changes nothing. */
export async function requireEnvironment(db: Database, environment: 'sandbox' | 'live'): Promise<void> {
  const { rows } = await sql<{ environment: string }>`select environment from installation`.execute(db)
  const owner = rows[0]?.environment ?? environment
  if (owner !== environment)
    throw new Error(
      `This database belongs to the ${owner} environment and this process is ${environment}. ` +
        'Check TIWALA_ENVIRONMENT and DATABASE_URL; no data was touched.',
    )
}
