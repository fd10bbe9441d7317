// What everybody knows of the sandbox's partner is true again after each start, whatever was done to it before.
import pg from 'pg'
import { expect, test } from 'vitest'
import { meet } from './harness.ts'
import { startReadyProcess } from './server-process.ts'
import { temporaryDatabase } from './temporary.ts'

test('after a restart its events come signed with its one webhook secret, however it was rotated', async () => {
  await using database = await temporaryDatabase()
  const settings = { DATABASE_URL: database.url, TIWALA_DATA_DIR: database.folder }
  const path = { partner_code: 'SANDBOX' }
  {
    await using first = await startReadyProcess(settings)
    const { send, asOperator } = await meet(first.url)
    for (const grace_days of [7, 0])
      expect((await send('rotateWebhookSecret', { headers: asOperator, path, json: { grace_days } })).status).toBe(200)
    expect((await send('setCallback', { headers: asOperator, path, json: { callback_url: null } })).status).toBe(200)
    await first.end('SIGTERM')
  }
  await using second = await startReadyProcess(settings)
  const { send, asOperator } = await meet(second.url)
  expect((await send('testCallback', { headers: asOperator, path })).status).toBe(200)
  const inbox = async () =>
    ((await (await fetch(`${second.url}/sandbox/inbox.json`)).json()) as { events: { signature_ok: boolean }[] }).events
  await expect.poll(inbox, { timeout: 10_000 }).toMatchObject([{ signature_ok: true }])

  const inside = new pg.Client(database.url)
  await inside.connect()
  const { rows } = await inside.query('select salt, previous_until from webhook_secret')
  expect(rows).toEqual([{ salt: expect.stringMatching(/^[\w-]+\.sandbox$/), previous_until: null }])
  await inside.end()
})
