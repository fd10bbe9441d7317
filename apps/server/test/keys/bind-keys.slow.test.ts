// A database belongs to the keys that it was used with: at the start, and when the key file changes.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { createLog } from '../../src/http/pipeline/log.ts'
import type { RingKey } from '../../src/secrets/key-ring.ts'
import { mintKey, mintKeys } from '../../src/secrets/open-key-ring.ts'
import { start } from '../../src/start.ts'
import { countRows } from '../../src/testing/database.ts'
import { freePort } from '../../src/testing/start-service.ts'
import { temporaryDatabase } from '../kit/temporary-resources.ts'

type Settings = Record<string, string>
const toJson = (keys: RingKey[]) => JSON.stringify({ keys })

async function startService(settings: Settings, ring?: RingKey[]) {
  const lines: Record<string, unknown>[] = []
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line) as never) })
  const own = { PORT: String(await freePort()), ...(ring && { TIWALA_KEY_RING: toJson(ring) }) }
  const running = await start(readConfig({ ...settings, ...own }), log)
  return { ...running, lines, [Symbol.asyncDispose]: () => running.close() }
}

/** The refusal of a start, or undefined. */
const refusalOf = (settings: Settings, ring?: RingKey[]): Promise<string | undefined> =>
  startService(settings, ring).then(
    ({ close }) => close().then(() => undefined),
    ({ message }: Error) => message,
  )

const without = (keys: RingKey[], purpose: string) => keys.filter((key) => key.purpose !== purpose)
const replace = (keys: RingKey[], key: RingKey) => [...without(keys, key.purpose), key]

describe('the start', () => {
  test('another key ring is refused and changes nothing; the right one, also with a further key, starts', async () => {
    await using database = await temporaryDatabase()
    const [ring, other] = [mintKeys(), mintKeys()]
    {
      await using first = await startService(database.settings, ring)
      expect(await countRows(first.service.db, 'bound_key')).toBe(ring.length)
    }
    expect(await refusalOf(database.settings, other)).toMatch(
      /^TIWALA_KEY_RING: the key ring has no key with the purpose "[\w-]+" that this database was used with\. Use the key ring of this database, or correct DATABASE_URL; no data was touched\./,
    )
    for (const purpose of [
      'pepper',
      'access-token',
      'key-encryption',
      'webhook',
      'audit',
      'sandbox',
    ] as const)
      expect(await refusalOf(database.settings, replace(ring, mintKey(purpose)))).toContain(
        `no key with the purpose "${purpose}"`,
      )
    await using again = await startService(database.settings, [...ring, mintKey('pepper')])
    expect(await countRows(again.service.db, 'bound_key')).toBe(ring.length + 1)
  })

  test('a key with the same kid and other bytes is refused', async () => {
    await using database = await temporaryDatabase()
    const ring = mintKeys()
    expect(await refusalOf(database.settings, ring)).toBeUndefined()
    for (const key of ring) {
      const forged = { ...mintKey(key.purpose), kid: key.kid }
      expect(await refusalOf(database.settings, replace(ring, forged))).toContain(
        `the key ${key.kid} (${key.purpose}) is not the one that this database was used with.`,
      )
    }
  })

  test('a key that data needs may not be missing; one that no data needs may', async () => {
    await using database = await temporaryDatabase()
    const [ring, pepper, webhook] = [
      mintKeys(),
      mintKey('pepper', new Date()),
      mintKey('webhook', new Date(0)),
    ]
    expect(await refusalOf(database.settings, ring)).toBeUndefined()
    expect(await refusalOf(database.settings, [...ring, pepper, webhook])).toBeUndefined()
    const old = ring.find(({ purpose }) => purpose === 'pepper')!
    expect(await refusalOf(database.settings, replace(ring, pepper))).toMatch(
      new RegExp(`^TIWALA_KEY_RING: the key ring lacks the key ${old.kid}, which \\d+ stored values need\\.`),
    )
    // `webhook` has made no salt yet.
    expect(await refusalOf(database.settings, [...ring, pepper])).toBeUndefined()
  })

  test('data of a version that bound no keys: another key ring is refused', async () => {
    await using database = await temporaryDatabase()
    const ring = mintKeys()
    {
      await using first = await startService(database.settings, ring)
      await sql`delete from bound_key`.execute(first.service.db)
    }
    expect(await refusalOf(database.settings, mintKeys())).toMatch(
      /lacks the key [\w-]+, which \d+ stored values/,
    )
    expect(await refusalOf(database.settings, ring)).toBeUndefined()
  })

  test('a lost key file is refused, and no new one is created', async () => {
    await using database = await temporaryDatabase()
    expect(await refusalOf(database.settings)).toBeUndefined()
    const elsewhere = { ...database.settings, TIWALA_DATA_DIR: join(database.folder, 'elsewhere') }
    const file = join(elsewhere.TIWALA_DATA_DIR, 'keys.json')
    expect(await refusalOf(elsewhere)).toBe(
      `TIWALA_DATA_DIR: the key file ${file} is missing, and the database holds data that needs its keys. ` +
        'Restore the file from your copy, or start with an empty database; no data was touched.',
    )
    await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

test('a changed key file is compared with the database, and each outcome leaves a line in the log', async () => {
  await using database = await temporaryDatabase()
  await using running = await startService(database.settings)
  const { keys } = running.service
  const file = join(database.folder, 'keys.json')
  const { keys: ring } = JSON.parse(await readFile(file, 'utf8')) as { keys: RingKey[] }
  const before = keys.list()
  const find = (msg: string) => running.lines.find((line) => line['msg'] === msg)

  await writeFile(file, toJson(mintKeys()))
  await expect
    .poll(() => find('the changed key ring is not used, and the loaded keys stay; correct the file'), {
      timeout: 20_000,
    })
    .toMatchObject({
      level: 'error',
      reason: expect.stringContaining('TIWALA_DATA_DIR: the key ring has no key'),
    })
  expect(keys.list()).toEqual(before)

  // While the database is not available, the process neither refuses the file nor forgets it.
  const { db } = running.service
  await sql`create sequence attempt`.execute(db)
  await sql
    .raw(`create function fail() returns trigger language plpgsql as
    $$ begin perform nextval('attempt'); raise exception using errcode = '57P03'; end $$`)
    .execute(db)
  await sql`create trigger fail before insert on bound_key execute function fail()`.execute(db)
  const attempts = async () =>
    (await sql<{ last_value: number }>`select last_value from attempt`.execute(db)).rows[0]!.last_value
  const added = mintKey('pepper', new Date())
  await writeFile(file, toJson([...ring, added]))
  await expect.poll(attempts, { timeout: 20_000 }).toBeGreaterThan(1)
  await sql`drop trigger fail on bound_key`.execute(db)
  await expect
    .poll(() => find('the key ring was loaded again'), { timeout: 20_000 })
    .toMatchObject({
      level: 'info',
      added: [{ kid: added.kid, purpose: 'pepper', active_from: added.active_from }],
      removed: [],
    })
  expect(keys.current('pepper').kid).toBe(added.kid)
  expect(find('another key is current from now on')).toMatchObject({ kid: added.kid, purpose: 'pepper' })
  expect(JSON.stringify(running.lines)).not.toContain(added.k)
})

test('a migration leaves a line in the log', async () => {
  await using database = await temporaryDatabase('template0')
  const find = (lines: Record<string, unknown>[]) =>
    lines.find(({ msg }) => msg === 'the database schema was brought up to date')
  {
    await using first = await startService(database.settings)
    expect(find(first.lines)).toMatchObject({
      level: 'info',
      from: null,
      to: expect.any(String),
      ms: expect.any(Number),
    })
  }
  await using again = await startService(database.settings)
  expect(find(again.lines)).toBeUndefined()
})
