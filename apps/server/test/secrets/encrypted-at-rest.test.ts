// The database without the keys reveals no personal data and no usable secret. process/lifecycle.slow.test.ts
// checks the files.
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { startService } from '../../src/testing/start-service.ts'
import { createApiClient } from '../kit/api-client.ts'
import { findCanaries, writeAllData } from '../kit/write-all-data.ts'

test('no column of any table, jobs and audit included, holds personal data or a usable secret', async () => {
  const { url, db, close } = await startService(inject('postgres'))
  const canaries = await writeAllData(await createApiClient(url))
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`.execute(db)
  expect(tables.length).toBeGreaterThan(12)
  for (const { name } of tables) {
    const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.raw(name)} t`.execute(db)
    expect([name, findCanaries(rows.map(({ text }) => text).join('\n'), canaries)]).toEqual([name, []])
  }
  await close()
})
