// A full disk: a clear message, 503 and not ready, in each form in which the engines report it.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openEmbedded } from '../../src/database/embedded.ts'
import { isDatabaseUnavailable } from '../../src/database/unavailable.ts'
import { describeError, isDiskFull } from '../../src/describe-error.ts'
import { connectPatiently } from '../kit/connect.ts'
import { temporaryDatabase } from '../kit/temporary-resources.ts'

test.each([
  ['PostgreSQL', Object.assign(new Error('could not extend file'), { code: '53100' })],
  ['Node', Object.assign(new Error('write'), { code: 'ENOSPC' })],
  ['the embedded file system, which throws no Error', { name: 'ErrnoError', errno: 51 }],
  ['a wrapped error', new Error('failed', { cause: { name: 'ErrnoError', errno: 51 } })],
  ['a message alone', new Error('could not write: No space left on device')],
])('%s: a full disk', (_what, error) => {
  expect([isDiskFull(error), isDatabaseUnavailable(error)]).toEqual([true, true])
  expect(JSON.stringify(describeError(error))).not.toContain('[object')
})

test.each([
  [new Error('syntax error')],
  [Object.assign(new Error('no such file'), { code: 'ENOENT', errno: 51 })],
  [{ name: 'ErrnoError', errno: 44 }],
  [undefined],
  ['text'],
])('%j is no full disk', (error) => expect(isDiskFull(error)).toBe(false))

test('the embedded database that has ended with "Aborted()" is unavailable', () => {
  expect(isDatabaseUnavailable(new Error('Aborted(). Build with -sASSERTIONS for more info.'))).toBe(true)
})

test('after a write on a full disk the database is not up, although it can be read', async () => {
  await using postgres = await temporaryDatabase()
  for (const database of [connectPatiently(postgres.url), openEmbedded()]) {
    await expect.poll(() => database.isUp()).toBe(true)
    const write = sql`do $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`
    await expect(write.execute(database.db)).rejects.toMatchObject({ code: '53100' })
    expect(await database.isUp()).toBe(false)
    expect((await sql`select 1 as one`.execute(database.db)).rows).toEqual([{ one: 1 }])
    await database.close()
  }
})
