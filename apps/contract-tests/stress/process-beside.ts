import { sql } from 'kysely'
import { inject } from 'vitest'
import type { TestService } from '../src/kit/test-service.ts'

/** Settings of a server process over the database and the keys of a test service. No limit applies. */
export async function settingsBeside(service: TestService): Promise<Record<string, string>> {
  const engine = inject('engine')
  if (engine.kind !== 'postgres') throw new Error('several processes need PostgreSQL')
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(service.db)
  const address = new URL(engine.url)
  address.pathname = `/${rows[0]!.name}`
  return { ...UNLIMITED, DATABASE_URL: address.href, TIWALA_DATA_DIR: service.config.dataDir }
}

const UNLIMITED = Object.fromEntries(
  ['VIEWS', 'TOKENS', 'SIGN_INS', 'REFUSED_CREDENTIALS'].map((what) => [
    `TIWALA_${what}_PER_MINUTE`,
    '1000000',
  ]),
)
