// A start of the sandbox restores its partner after any change, and keeps everything else.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { createLog } from '../../src/http/pipeline/log.ts'
import { start } from '../../src/start.ts'
import { freePort } from '../../src/testing/start-service.ts'
import { createApiClient } from '../kit/api-client.ts'
import { temporaryDatabase } from '../kit/temporary-resources.ts'

test('200: a restart restores the secrets of the sandbox partner, and access tokens stay valid', async () => {
  await using database = await temporaryDatabase()
  const settings = {
    ...database.settings,
    LOG_LEVEL: 'silent',
    PORT: String(await freePort()),
  }
  const begin = () => start(readConfig(settings), createLog('silent'))
  const path = { partner_code: 'SANDBOX' }
  let token: string
  {
    const { service, close } = await begin()
    const { send, asOperator, issueAccessToken } = await createApiClient(service.config.publicUrl)
    token = await issueAccessToken()
    expect(
      (
        await send('rotateCredential', {
          headers: asOperator,
          path,
          json: { kind: 'secret_token', grace_days: 0 },
        })
      ).status,
    ).toBe(201)
    for (const grace_days of [7, 0])
      expect(
        (await send('rotateWebhookSecret', { headers: asOperator, path, json: { grace_days } })).status,
      ).toBe(200)
    expect(
      (await send('setCallback', { headers: asOperator, path, json: { callback_url: null } })).status,
    ).toBe(200)
    await close()
  }
  const { service, close } = await begin()
  const { send, asOperator, asPartner, signIn } = await createApiClient(service.config.publicUrl)
  expect((await signIn(token)).status).toBe(200)
  expect((await send('readPartnerSelf', { headers: asPartner })).status).toBe(200)
  expect((await send('testCallback', { headers: asOperator, path })).status).toBe(200)
  const inbox = async () =>
    (
      (await (await fetch(`${service.config.publicUrl}/sandbox/inbox.json`)).json()) as {
        events: { signature_ok: boolean }[]
      }
    ).events
  // The events of the sign-in and of the test callback.
  await expect.poll(inbox).toMatchObject([{ signature_ok: true }, { signature_ok: true }])

  const { rows } = await sql`select salt, previous_until from webhook_secret`.execute(service.db)
  expect(rows).toEqual([{ salt: expect.stringMatching(/^[\w-]+\.sandbox$/), previous_until: null }])
  await close()
})
