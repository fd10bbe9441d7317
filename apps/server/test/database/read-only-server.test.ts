// A PostgreSQL server becomes read-only (a primary that was replaced by another) while the pool keeps
// connections to it.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { connectPatiently } from '../kit/connect.ts'
import { temporaryDatabase } from '../kit/temporary-resources.ts'

test('a connection that reports "read-only" is closed, and the next request opens a new one', async () => {
  await using database = await temporaryDatabase()
  const { db, close } = connectPatiently(database.url)
  const pid = async () =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]!.pid
  const write = () => sql`update clock set advance = advance`.execute(db)
  const kept = await pid()
  await sql`set default_transaction_read_only = on`.execute(db)
  expect(await pid()).toBe(kept)
  await expect(write()).rejects.toMatchObject({ code: '25006' })
  await write()
  expect(await pid()).not.toBe(kept)
  await close()
})

test('a connection that reports "read-only" in a transaction is closed, too', async () => {
  await using database = await temporaryDatabase()
  const { db, close } = connectPatiently(database.url)
  await sql`set default_transaction_read_only = on`.execute(db)
  const transaction = db.transaction().execute((tx) => sql`update clock set advance = advance`.execute(tx))
  await expect(transaction).rejects.toThrow(/read-only|Client was closed/)
  await db.transaction().execute((tx) => sql`update clock set advance = advance`.execute(tx))
  await close()
})
