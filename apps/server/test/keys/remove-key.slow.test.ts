// `keys.js remove` asks the database whether data needs the key.
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { createLog } from '../../src/http/pipeline/log.ts'
import type { RingKey } from '../../src/secrets/key-ring.ts'
import { start } from '../../src/start.ts'
import { freePort } from '../../src/testing/start-service.ts'
import { SEEDED } from '../kit/server-process.ts'
import { temporaryDatabase, temporaryFolder } from '../kit/temporary-resources.ts'

const COMMAND = fileURLToPath(new URL('../../keys.ts', import.meta.url))
const run = promisify(execFile)

type Settings = Record<string, string>

/** Starts a sandbox once, so that data needs its keys. */
async function use(settings: Settings): Promise<void> {
  const config = readConfig({ ...settings, PORT: String(await freePort()) })
  await (await start(config, createLog('silent'))).close()
}

/** What the command says, and its status. */
const keys = (env: Settings, ...words: string[]) =>
  run(process.execPath, [COMMAND, ...words, ...(words[0] === 'remove' ? ['--yes'] : [])], {
    env: { ...SEEDED, ...env },
  }).then(
    ({ stdout }) => `0: ${stdout}`,
    ({ code, stderr }: { code: number; stderr: string }) => `${code}: ${stderr}`,
  )

const readRing = async (file: string) =>
  (JSON.parse(await readFile(file, 'utf8')) as { keys: RingKey[] }).keys

/** Adds a key of the purpose. Returns the old one. */
async function rotate(file: string, purpose: string): Promise<RingKey> {
  const old = (await readRing(file)).find((key) => key.purpose === purpose)!
  await keys({}, 'add', purpose, '--in', '0', '--file', file)
  return old
}

test.each(['DATABASE_URL', 'a file of settings'])('PostgreSQL, from %s: a key in use stays', async (from) => {
  await using database = await temporaryDatabase()
  await use(database.settings)
  const file = join(database.folder, 'keys.json')
  const settings = join(database.folder, 'tiwala.env')
  await writeFile(settings, `DATABASE_URL=${database.url}\n`)
  const remove = (kid: string) =>
    from === 'DATABASE_URL'
      ? keys({ DATABASE_URL: database.url }, 'remove', kid, '--file', file)
      : keys({}, 'remove', kid, '--file', file, '--settings', settings)
  const current = (await readRing(file)).find(({ purpose }) => purpose === 'pepper')!
  expect(await remove(current.kid)).toContain(
    `1: ${current.kid} is the current pepper key. Add another one first`,
  )
  const old = await rotate(file, 'pepper')
  const before = await readFile(file, 'utf8')
  expect(await remove(old.kid)).toMatch(
    new RegExp(
      `^1: The key ${old.kid} \\(pepper\\) is in use: \\d+ stored values need it\\. Nothing was removed\\.`,
    ),
  )
  expect(await readFile(file, 'utf8')).toBe(before)
  const unused = await rotate(file, 'pepper')
  const older = (await readRing(file)).filter(({ purpose }) => purpose === 'pepper')[1]!
  expect(unused.kid).toBe(old.kid)
  await keys({}, 'add', 'pepper', '--in', '0', '--file', file)
  expect(await remove(older.kid)).toBe(`0: Removed ${older.kid}.\n`)
  expect((await readRing(file)).map(({ kid }) => kid)).not.toContain(older.kid)
})

test('the public half of an audit key that has signed checkpoints stays', async () => {
  await using database = await temporaryDatabase()
  await use(database.settings)
  const file = join(database.folder, 'keys.json')
  const [old, remove] = [
    await rotate(file, 'audit'),
    (kid: string) => keys({ DATABASE_URL: database.url }, 'remove', kid, '--file', file),
  ]
  expect(await remove(old.kid)).toContain(`0: Removed the private half of ${old.kid}.`)
  const admin = new pg.Client(database.url)
  await admin.connect()
  await admin.query(`insert into audit_checkpoint values (1, '{"kid":"${old.kid}"}', '', '')`)
  await admin.end()
  expect(await remove(old.kid)).toContain('is in use: checkpoints of the audit are signed with it.')
})

test('the embedded database beside the file is asked', async () => {
  await using folder = await temporaryFolder()
  await use({ TIWALA_DATA_DIR: folder.path })
  const file = join(folder.path, 'keys.json')
  const old = await rotate(file, 'key-encryption')
  expect(await keys({}, 'remove', old.kid, '--file', file)).toMatch(/is in use: \d+ stored values need it\./)
})

test('without a database the command refuses, unless --unchecked is given', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'ring.json')
  await keys({}, 'init', '--file', file)
  const old = await rotate(file, 'pepper')
  expect(await keys({}, 'remove', old.kid, '--file', file)).toMatch(
    /^1: remove: cannot ask the database whether data needs .+ add --unchecked\. Help: /,
  )
  expect(await keys({}, 'remove', old.kid, '--file', file, '--unchecked')).toBe(`0: Removed ${old.kid}.\n`)
})

test.each([
  ['access-token', (kid: string) => ({ hmac: 'hmac', content: `${kid}.content` })],
  ['pepper', (kid: string) => ({ hmac: `${kid}.hmac`, content: 'content' })],
])('the %s key that a kept response or a sign-in needs stays', async (purpose, valuesOf) => {
  await using database = await temporaryDatabase()
  await use(database.settings)
  const file = join(database.folder, 'keys.json')
  const old = await rotate(file, purpose)
  const { hmac, content } = valuesOf(old.kid)
  const remove = () => keys({ DATABASE_URL: database.url }, 'remove', old.kid, '--file', file)
  const admin = new pg.Client(database.url)
  await admin.connect()
  // The citizens and secrets of the sandbox need its first pepper.
  await admin.query('update credential set revoked_at = now()')
  await admin.query(`
    update citizen set data_key = null, uniqid = null, profile = null, passport = null, frozen = true,
                       uniqid_hmac = 'erased.' || subject`)
  await admin.query(
    `insert into idempotent_response values ('${hmac}', 'hash', '${content}', now() + interval '1 minute')`,
  )
  expect(await remove()).toContain('is in use: 1 kept responses and sign-ins need it')
  await admin.query('update idempotent_response set expires_at = now()')
  await admin.query(
    `insert into oidc_state (model, id_hmac, content, expires_at)
     values ('Interaction', '${hmac}', '${content}', now() + interval '1 minute')`,
  )
  expect(await remove()).toContain('is in use: 1 kept responses and sign-ins need it')
  await admin.query('update oidc_state set expires_at = now()')
  expect(await remove()).toBe(`0: Removed ${old.kid}.\n`)
  await admin.end()
})

test('an access-token key that an unused token needs stays', async () => {
  await using database = await temporaryDatabase()
  await use(database.settings)
  const file = join(database.folder, 'keys.json')
  const admin = new pg.Client(database.url)
  await admin.connect()
  await admin.query(`
    with ids as (
      select (select min(id) from partner) as partner, (select min(id) from citizen) as citizen,
             (select min(id) from credential) as credential
    ), code as (
      insert into exchange_code (hmac, partner_id, citizen_id, scope, expires_at, redeemed_at)
      select 'code', partner, citizen, 'SSO_AUTHENTICATION', now() + interval '1 hour', now() from ids returning id
    )
    insert into access_token (hmac, exchange_code_id, partner_id, citizen_id, credential_id, scope, expires_at)
    select 'token', code.id, partner, citizen, credential, 'SSO_AUTHENTICATION', now() + interval '1 hour' from code, ids`)
  const old = await rotate(file, 'access-token')
  const remove = () => keys({ DATABASE_URL: database.url }, 'remove', old.kid, '--file', file)
  expect(await remove()).toContain('is in use: 1 access tokens need it')
  await admin.query('update access_token set used_at = now()')
  expect(await remove()).toBe(`0: Removed ${old.kid}.\n`)
  await admin.end()
})

test('a pepper that finds the receipt of an erasure stays', async () => {
  await using database = await temporaryDatabase()
  await use(database.settings)
  const file = join(database.folder, 'keys.json')
  const old = await rotate(file, 'pepper')
  const remove = () => keys({ DATABASE_URL: database.url }, 'remove', old.kid, '--file', file)
  const admin = new pg.Client(database.url)
  await admin.connect()
  await admin.query('update credential set revoked_at = now()')
  const { rowCount } = await admin.query(`
    update citizen set data_key = null, uniqid = null, profile = null, passport = null, frozen = true,
                       uniqid_hmac = 'erased.' || subject, erased_uniqid_hmac = uniqid_hmac`)
  expect(await remove()).toMatch(
    new RegExp(`is in use: ${rowCount} stored values need it\\. .* except erased ones, whose pepper stays`),
  )
  await admin.query('update citizen set erased_uniqid_hmac = null')
  expect(await remove()).toBe(`0: Removed ${old.kid}.\n`)
  await admin.end()
})

test('the command asks first, unless --yes is given', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'ring.json')
  await keys({}, 'init', '--file', file)
  const old = await rotate(file, 'pepper')
  /** Types the text at a terminal. `undefined`: there is none. */
  const removeTyping = async (text?: string) => {
    const terminal = '--import=data:text/javascript,process.stdin.isTTY=true'
    const command = [COMMAND, 'remove', old.kid, '--file', file, '--unchecked']
    const running = run(process.execPath, [...(text === undefined ? [] : [terminal]), ...command])
    running.child.stdin!.end(text ?? '')
    return running.then(
      ({ stdout }) => stdout,
      ({ stderr }: { stderr: string }) => stderr,
    )
  }
  const before = await readFile(file, 'utf8')
  expect(await removeTyping()).toContain('there is no terminal to ask at. To continue, add --yes')
  expect(await removeTyping('yes\n')).toMatch(/Type \S+ to confirm: .*not confirmed; nothing was removed/s)
  expect(await removeTyping('')).toContain('not confirmed')
  expect(await readFile(file, 'utf8')).toBe(before)
  expect(await removeTyping(`${old.kid}\n`)).toBe(`Removed ${old.kid}.\n`)
})
