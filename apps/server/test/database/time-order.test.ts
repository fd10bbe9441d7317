// The time in identifiers, with which an index has new rows beside each other.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openKeyRing } from '../../src/secrets/open-key-ring.ts'
import { mintQrValue } from '../../src/secrets/tokens.ts'
import { startServiceForFile } from '../kit/api-client.ts'

const { service, api } = await startServiceForFile()
const { db } = service

test('the stored HMAC of a QR value begins with the time of its issue, after the key', async () => {
  await api.issueQrValue('inquire')
  const { rows } = await sql<{ hmac: string; time: string }>`
    select hmac, tracking_time(expires_at - make_interval(secs => ${service.config.qrTtlSeconds})) as time
      from qr_code order by id desc limit 1`.execute(db)
  const [{ hmac, time }] = rows as [(typeof rows)[number]]
  expect(hmac.split('.')[1]!.slice(0, 5)).toBe(time.slice(0, 5))
})

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
