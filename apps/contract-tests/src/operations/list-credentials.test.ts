import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createCredentialClient, DAY_SECONDS } from '../kit/credential-client.ts'
import { startServiceForFile } from '../kit/test-service.ts'

/** A separate service, because the test moves the clock far ahead. */
const service = await startServiceForFile({})
const credentials = createCredentialClient(service)

const soon = { timeout: 60_000, interval: 20 }

describe('listCredentials', () => {
  test('200: newest first, with the day of the last use, and never a secret or a hash', async () => {
    const partner = await service.partner()
    expect(await credentials.list(partner)).toMatchObject([
      { status: 'ACTIVE', revoked_at: null, last_used_on: null },
      { status: 'ACTIVE', revoked_at: null, last_used_on: null },
    ])
    const { secret, credential } = await credentials.rotate(partner, 7)
    const [newest, ...others] = await credentials.list(partner)
    expect(newest).toEqual(credential)
    expect([newest!, ...others].map((each) => [each.kind, each.is_superseded])).toEqual([
      ['secret_token', false],
      ['partner_secret', false],
      ['secret_token', true],
    ])
    expect(others).toHaveLength(2)
    const said = JSON.stringify([newest, ...others])
    for (const word of [secret, partner.credentials.secret_token, partner.credentials.partner_secret])
      expect(said).not.toContain(word)
    expect(Object.keys(newest!)).toEqual([
      'id',
      'kind',
      'status',
      'is_superseded',
      'created_at',
      'expires_at',
      'revoked_at',
      'last_used_on',
    ])
  })

  test('200: last_used_on is the day in Manila of the last use, for the used secret only', async () => {
    const partner = await service.partner()
    const used = async () =>
      (await credentials.list(partner)).find(({ kind }) => kind === 'secret_token')!.last_used_on
    const today = async () => {
      const { created_at } = (await credentials.rotate(await service.partner(), 0)).credential
      return new Date(Date.parse(created_at) + 8 * 3_600_000).toISOString().slice(0, 10)
    }
    await credentials.tryToken(partner, partner.credentials.secret_token)
    await expect.poll(used, soon).toBe(await today())
    await service.advance(2 * DAY_SECONDS)
    await Promise.all(
      Array.from({ length: 10 }, () => credentials.tryToken(partner, partner.credentials.secret_token)),
    )
    await expect.poll(used, soon).toBe(await today())
    expect(
      (await credentials.list(partner)).find(({ kind }) => kind === 'partner_secret')!.last_used_on,
    ).toBeNull()
  })

  test('200: the newest 100 of more', async () => {
    const partner = await service.partner()
    await sql`
      insert into credential (partner_id, kind, hmac, expires_at)
      select id, 'secret_token', 'many ' || n, clock_now() from partner, generate_series(1, 110) n
       where partner_code = ${partner.code}`.execute(service.db)
    expect(await credentials.list(partner)).toHaveLength(100)
  })
})
