// The host of a process loses its power or its network in the middle of a transaction.
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { connectPatiently } from '../kit/connect.ts'
import { temporaryDatabase } from '../kit/temporary-resources.ts'

test('an abandoned transaction keeps its locks for 5 s and no longer', async () => {
  await using database = await temporaryDatabase()
  const [dead, other] = [connectPatiently(database.url), connectPatiently(database.url)]
  const write = () => sql`update clock set advance = advance`
  const transaction = await dead.db.startTransaction().execute()
  await write().execute(transaction)
  await expect(write().execute(other.db)).rejects.toMatchObject({ code: '55P03' })
  await vi.waitFor(() => write().execute(other.db), 60_000)
  await expect(write().execute(transaction)).rejects.toThrow('connection error')
  await transaction
    .rollback()
    .execute()
    .catch(() => {})
  await Promise.all([dead, other].map(({ close }) => close()))
})
