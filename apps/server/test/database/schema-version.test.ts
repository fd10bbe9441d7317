import { expect, test } from 'vitest'
import { readDatabaseSchema, readVersions } from '../../src/versions.ts'
import { temporaryDatabase } from '../kit/temporary-resources.ts'

test('the schema of a database is its newest migration; a new database has none', async () => {
  await using migrated = await temporaryDatabase()
  await using empty = await temporaryDatabase('template0')
  expect(await readDatabaseSchema(migrated.url)).toBe((await readVersions()).schema)
  expect(await readDatabaseSchema(empty.url)).toBe(undefined)
})
