// Who holds the database or its files, and not the keys, holds nothing of a citizen's and nothing that opens a door.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, inject, test } from 'vitest'
import { startService } from '../src/testing.ts'
import { passport, profile } from './canaries.ts'
import { meet, type People } from './harness.ts'
import { startReadyProcess } from './server-process.ts'
import { migratedFolder } from './temporary.ts'

/** Everything is done once that stores something; tells what must not be found. */
async function journey(people: People): Promise<string[]> {
  const { uniqid } = people.citizens[0]!
  const given = async (answer: Promise<Response>, status = 200) => {
    const response = await answer
    expect(response.status).toBe(status)
    return (await response.json()) as Record<string, never>
  }
  const body = { profile: { ...profile, uniqid }, passport }
  await given(people.send('upsertCitizen', { headers: people.asOperator, path: { uniqid }, json: body }))
  const partner = { partner_code: 'SEALED', name: 'Sealed', purpose: 'To test.', scopes: [], callback_url: 'https://partner.example/' }
  const { credentials } = await given(people.send('createPartner', { headers: people.asOperator, json: partner }), 201)
  const [accepted, unused] = [await people.pending(), [await people.showQr('inquire'), await people.exchangeCode()]]
  await given(people.accept(accepted))
  const inquired = JSON.stringify(await given(people.inquire(accepted)))
  await given(people.view(await people.showQr('share')))
  const waiting = await people.accessToken()
  const signedIn = JSON.stringify(await given(people.signIn(await people.accessToken())))
  const { secret_token, partner_secret, webhook_secret } = credentials as unknown as Record<string, string>
  const personal = [...Object.values(profile), ...Object.values(passport)].map(String)
  // They did pass through.
  expect(personal.filter((value) => !(inquired + signedIn).includes(value))).toEqual([])
  const own = people.partner
  return [
    uniqid,
    ...personal,
    ...unused,
    waiting,
    secret_token!,
    partner_secret!,
    webhook_secret!,
    own.secret_token,
    own.partner_secret,
    own.webhook_secret,
  ]
}

/** As it stands, and as the base64 of which it may be a part. */
const formsOf = (text: string) => [text, Buffer.from(text).toString('base64').slice(0, -4), Buffer.from(text).toString('hex')]
const foundIn = (content: string, canaries: string[]) => canaries.filter((canary) => formsOf(canary).some((form) => content.includes(form)))

describe('no personal data and no usable secret', () => {
  test('in the files of the embedded database', async () => {
    await using folder = await migratedFolder()
    await using server = await startReadyProcess({ TIWALA_DATA_DIR: folder.path })
    const canaries = await journey(await meet(server.url))
    await server.end('SIGTERM')
    const files = (await readdir(folder.path, { recursive: true, withFileTypes: true })).filter(
      (entry) => entry.isFile() && entry.name !== 'keys.json',
    )
    expect(files.length).toBeGreaterThan(500)
    for (const { parentPath, name } of files) {
      const content = (await readFile(join(parentPath, name))).toString('latin1')
      expect([name, foundIn(content, canaries)]).toEqual([name, []])
    }
  })

  test('in any column of any table, jobs and audit among them', async () => {
    const { url, db, close } = await startService(inject('postgres'))
    const canaries = await journey(await meet(url))
    const { rows: tables } = await sql<{ name: string }>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`.execute(
      db,
    )
    expect(tables.length).toBeGreaterThan(12)
    for (const { name } of tables) {
      const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.raw(name)} t`.execute(db)
      expect([name, foundIn(rows.map(({ text }) => text).join('\n'), canaries)]).toEqual([name, []])
    }
    await close()
  })
})
