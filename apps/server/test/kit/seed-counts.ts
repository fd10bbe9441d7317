import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))

/** The rows after a start, however many processes start at once. */
export const EXPECTED_COUNTS = {
  migrations: globSync('*.sql', { cwd: MIGRATIONS }).length,
  environments: 1,
  partners: 1,
  credentials: 2,
  webhook_secrets: 1,
  citizens: 14,
}

export async function countSeedRows(databaseUrl: string): Promise<Record<string, number>> {
  const inside = new pg.Client(databaseUrl)
  await inside.connect()
  const { rows } = await inside.query<Record<string, number>>(`
    select (select count(*)::int from kysely_migration) as migrations,
           (select count(*)::int from installation) as environments,
           (select count(*)::int from partner) as partners,
           (select count(*)::int from credential) as credentials,
           (select count(*)::int from webhook_secret) as webhook_secrets,
           (select count(*)::int from citizen) as citizens`)
  await inside.end()
  return rows[0]!
}
