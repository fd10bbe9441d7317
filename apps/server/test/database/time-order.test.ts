// The time in identifiers, with which an index has new rows beside each other.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openKeyRing } from '../../src/secrets/open-key-ring.ts'
import { EXCHANGE_CODE_PREFIX, mintQrValue, mintSecret } from '../../src/secrets/tokens.ts'
import { decryptAccessToken, encryptAccessToken } from '../../src/sso/access-token.ts'
import { startServiceForFile } from '../kit/api-client.ts'

const { service, api } = await startServiceForFile()
const { db } = service

const { config } = service
const TIMED = [
  ['qr_code', config.qrTtlSeconds, () => api.issueQrValue('inquire')],
  ['exchange_code', config.exchangeCodeTtlSeconds, () => api.issueExchangeCode()],
  ['access_token', config.accessTokenTtlSeconds, () => api.issueAccessToken()],
] as const

test.each(TIMED)(
  'the stored HMAC of %s begins with the time of its issue, after the key',
  async (table, seconds, issue) => {
    await issue()
    const { rows } = await sql<{ hmac: string; time: string }>`
      select hmac, tracking_time(expires_at - make_interval(secs => ${seconds})) as time
        from ${sql.table(table)} order by id desc limit 1`.execute(db)
    const [{ hmac, time }] = rows as [(typeof rows)[number]]
    expect(hmac.split('.')[1]!.slice(0, 5)).toBe(time.slice(0, 5))
  },
)

test('the id of an event begins with its second', async () => {
  await api.accept(await api.createPendingRecord())
  const { rows } = await sql<{ id: string; time: string }>`
    select webhook_id as id, to_hex(floor(extract(epoch from occurred_at))::bigint) as time from callback_event`.execute(
    db,
  )
  expect(rows.length).toBeGreaterThan(0)
  for (const { id, time } of rows) {
    expect(id).toMatch(/^evt_[0-9a-f]{32}$/)
    expect(id.slice(4, 12)).toBe(time)
  }
})

test.each(['inquire', 'share'] as const)(
  '200: a QR value from before the time in it (%s)',
  async (purpose) => {
    await api.issueQrValue(purpose)
    const value = mintQrValue().replace(/^TWQ1.{7}/, 'TWQ1ZZZZZZZ')
    const { keys, close } = await openKeyRing(service.config, () => {})
    await sql`
    update qr_code set hmac = ${keys.hmac('qr_value', value)} where id = (select max(id) from qr_code)`.execute(
      db,
    )
    await close()
    const present = () => (purpose === 'share' ? api.viewByQr(value) : api.request(value))
    expect((await present()).status).toBe(200)
    // A retry finds the same record.
    expect((await present()).status).toBe(200)
  },
)

test('200: an exchange code from before the time in it', async () => {
  await api.issueExchangeCode()
  const code = mintSecret(EXCHANGE_CODE_PREFIX)
  const { keys, close } = await openKeyRing(config, () => {})
  await sql`
    update exchange_code set hmac = ${keys.hmac('exchange_code', code)}
     where id = (select max(id) from exchange_code)`.execute(db)
  await close()
  const redeemed = await api.redeemExchangeCode(code)
  expect(redeemed.status).toBe(200)
  expect((await api.redeemExchangeCode(code)).status).toBe(422)
})

test('200: an access token from before the time in it', async () => {
  const token = await api.issueAccessToken()
  const { keys, close } = await openKeyRing(config, () => {})
  const jti = mintSecret('').slice(0, 43)
  const partnerId = decryptAccessToken(keys, token)!.partnerId
  const earlier = encryptAccessToken(keys, partnerId, jti)
  await sql`
    update access_token set hmac = ${keys.hmac('access_token', jti)} where id = (select max(id) from access_token)`.execute(
    db,
  )
  await close()
  expect((await api.signIn(earlier)).status).toBe(200)
  expect((await api.signIn(earlier)).status).toBe(401)
})
