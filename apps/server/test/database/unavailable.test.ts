import pg from 'pg'
import { expect, test } from 'vitest'
import { isDatabaseUnavailable, isUnstorableText } from '../../src/database/unavailable.ts'
import { temporaryDatabase } from '../kit/temporary-resources.ts'

const errorWith = (code: string) => Object.assign(new Error('failed'), { code })

test.each([
  ['08006', 'a lost connection'],
  ['53300', 'too many connections'],
  ['57P01', 'a shutdown'],
  ['57014', 'a statement timeout'],
  ['55P03', 'a lock timeout'],
  ['40001', 'a serialization failure'],
  ['40P01', 'a deadlock'],
  ['25006', 'a standby'],
  ['3D000', 'a database that does not exist yet'],
  ['ECONNREFUSED', 'no server at the address'],
  ['ECONNRESET', 'a reset connection'],
  ['EPIPE', 'a closed connection'],
  ['ETIMEDOUT', 'a connection timeout'],
  ['ENOTFOUND', 'an unknown host'],
  ['EAI_AGAIN', 'no answer of the name server'],
  ['EHOSTUNREACH', 'no route to the host'],
  ['ENETUNREACH', 'no route to the network'],
])('%s: %s is temporary', (code) => {
  expect(isDatabaseUnavailable(errorWith(code))).toBe(true)
})

test.each([
  ['22021', 'the character NUL'],
  ['23505', 'a duplicate key'],
  ['42P01', 'a missing table'],
  ['XX000', 'an internal error'],
  ['ENOENT', 'a missing file'],
])('%s: %s is an error of the statement', (code) => {
  expect([isDatabaseUnavailable(errorWith(code)), isUnstorableText(errorWith(code))]).toEqual([
    false,
    code === '22021',
  ])
})

test('a missing Unix socket is temporary, and no other missing file or refused connection', () => {
  const failedCall = (code: string, syscall: string) => Object.assign(errorWith(code), { syscall })
  expect(isDatabaseUnavailable(failedCall('ENOENT', 'connect'))).toBe(true)
  expect(isDatabaseUnavailable(failedCall('ENOENT', 'open'))).toBe(false)
  expect(isDatabaseUnavailable(failedCall('EACCES', 'connect'))).toBe(false)
})

test.each(['Connection terminated unexpectedly', 'timeout exceeded when trying to connect'])(
  'an error of the driver without a code is temporary: %s',
  (message) => expect(isDatabaseUnavailable(new Error(message))).toBe(true),
)

test('a row whose partition is made while it waits for the default one is temporary, and a failed check is not', async () => {
  await using database = await temporaryDatabase()
  const [making, inserting] = [new pg.Client(database.url), new pg.Client(database.url)]
  await Promise.all([making.connect(), inserting.connect()])
  // Attached, as the service does it: "create table … partition of" locks the parent, which the waiting insert has.
  await making.query(`create table made (id int check (id > 0)) partition by range (id);
    create table made_default partition of made default; create table made_1 (like made including all)`)
  await making.query('begin; lock table made_default in access exclusive mode')
  const failure = inserting.query('insert into made values (1)').catch((error: unknown) => error)
  // Of the other databases of the server, too, locks are shown.
  const findWaiting = `select from pg_locks where not granted
    and relation = 'made_default'::regclass and database = (select oid from pg_database where datname = current_database())`
  await expect.poll(async () => (await making.query(findWaiting)).rowCount).toBe(1)
  await making.query('alter table made attach partition made_1 for values from (1) to (2); commit')
  expect(await failure).toMatchObject({ code: '23514' })
  expect(isDatabaseUnavailable(await failure)).toBe(true)
  const refused = await inserting.query('insert into made values (0)').catch((error: unknown) => error)
  expect(isDatabaseUnavailable(refused)).toBe(false)
  await Promise.all([making.end(), inserting.end()])
})

test('a code that is no text is no SQLSTATE', () => {
  expect(isDatabaseUnavailable(Object.assign(new Error('failed'), { code: 57014 }))).toBe(false)
})

test.each(['08006', '22021', undefined, { code: '22021' }])(
  'a thrown value that is no error is no error of the database: %o',
  (thrown) => expect([isDatabaseUnavailable(thrown), isUnstorableText(thrown)]).toEqual([false, false]),
)
