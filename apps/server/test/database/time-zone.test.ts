// The time zone: a name that PostgreSQL and other programs read in the same way, or the start is refused.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { requireTimeZone } from '../../src/database/time-zone.ts'
import { startServiceForFile } from '../kit/api-client.ts'
import { startupErrorOf } from '../kit/server-process.ts'
import { temporaryDatabase } from '../kit/temporary-resources.ts'

const { service } = await startServiceForFile()

test.each(['Asia/Manila', 'Asia/Kolkata', 'America/New_York', 'UTC', 'Etc/GMT+8'])('%s is accepted', (name) =>
  expect(requireTimeZone(service.db, name)).resolves.toBeUndefined(),
)

test.each(['+08:00', '-03', 'AST', 'PST', 'asia/manila', 'ASIA/MANILA'])('%s is refused', (name) =>
  expect(requireTimeZone(service.db, name)).rejects.toThrow(`PostgreSQL has no time zone "${name}"`),
)

test('a name that PostgreSQL reads in another way is refused, with both times', async () => {
  const refused = service.db.transaction().execute(async (tx) => {
    await sql`create view pg_timezone_names as select '+08:00' as name`.execute(tx)
    await sql`set local search_path to public, pg_catalog`.execute(tx)
    return requireTimeZone(tx, '+08:00')
  })
  await expect(refused).rejects.toThrow(/for PostgreSQL, and \d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} for Node/)
})

test('the start is refused', async () => {
  await using database = await temporaryDatabase()
  const error = await startupErrorOf({ ...database.settings, TIWALA_TIME_ZONE: '+08:00' })
  expect(error).toContain('TIWALA_TIME_ZONE: PostgreSQL has no time zone "+08:00".')
})
