// An operator builds the indexes of a large audit before the upgrade, while the service runs (UPGRADING.md).
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { temporaryDatabase } from '../kit/temporary-resources.ts'

const SERVER = new URL('../../', import.meta.url)
const INDEXES = `
  select i.indexrelid::regclass::text as name, i.indexrelid::int as oid, i.indisvalid as is_valid
    from pg_index i join pg_class t on t.oid = i.indrelid
   where t.relname ~ '^audit_event' and t.relkind = $1 and pg_get_indexdef(i.indexrelid) ~ '\\(actor, ' order by 1`

test('the migration of the search by actor takes the indexes that UPGRADING.md makes, and builds none', async () => {
  await using database = await temporaryDatabase()
  const client = new pg.Client(database.url)
  await client.connect()
  const indexes = async (kind: 'p' | 'r') => (await client.query<{ name: string }>(INDEXES, [kind])).rows
  const names = (await indexes('p')).map(({ name }) => name)
  expect(names).toHaveLength(4)
  await client.query(`drop index ${names.join()}`)
  expect(await indexes('r')).toEqual([])
  const notes = await readFile(new URL('UPGRADING.md', SERVER), 'utf8')
  const [, select] = /\n(select format\('create index concurrently[^;]*?)\\gexec/.exec(notes)!
  for (const [create] of (await client.query<[string]>({ text: select!, rowMode: 'array' })).rows)
    await client.query(create)
  const made = await indexes('r')
  expect(made.length).toBeGreaterThanOrEqual(4 * 4)
  const folder = new URL('migrations/', SERVER)
  const file = (await readdir(folder)).find((name) => name.endsWith('_audit_actor.sql'))!
  await client.query(await readFile(new URL(file, folder), 'utf8'))
  expect(await indexes('r')).toEqual(made)
  expect(await indexes('p')).toEqual(names.map((name) => ({ name, oid: expect.any(Number), is_valid: true })))
  await client.end()
})
