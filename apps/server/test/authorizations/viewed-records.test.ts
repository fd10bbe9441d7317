// `createViewedRecord` uses a QR value for sharing, and tells the partner and the other processes.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, test } from 'vitest'
import { createViewedRecord } from '../../src/authorizations/profile-by-qr/profile-by-qr.sql.ts'
import type { Database } from '../../src/database/connect.ts'
import { startServiceForFile } from '../kit/api-client.ts'
import { databaseUrlOf } from '../kit/database-url.ts'
import { addCitizen, addCredential, addPartner, addQr, type PartnerRow, read } from '../kit/rows.ts'
import { rolledBack } from '../kit/stopped-clock.ts'

const { service } = await startServiceForFile()

async function view(db: Database, partner: PartnerRow, hmac: string, trackingNo: string = randomUUID()) {
  const { id: credentialId } = await addCredential(db, partner.id)
  const access = { partnerId: partner.id, credentialId, accessVersion: 1 }
  const origin = { requestId: 'test', traceparent: null }
  const value = {
    qrHmacs: [hmac],
    qrValue: '',
    callback_url: null,
    profile: 'profile',
    snapshot: 'copy',
    trackingNo,
  }
  return createViewedRecord(db, { ...access, ...origin, ...value }, 60)
}

test.each([
  { purpose: 'share', callbackUrl: 'https://partner.example/events', isCreated: true, events: 1 },
  { purpose: 'share', callbackUrl: null, isCreated: true, events: 0 },
  { purpose: 'inquire', callbackUrl: 'https://partner.example/events', isCreated: false, events: 0 },
])('$events event for a value to $purpose with the callback URL $callbackUrl', (each) =>
  rolledBack(service.db, async (tx) => {
    const partner = await addPartner(tx, { callback_url: each.callbackUrl })
    const { hmac } = await addQr(tx, await addCitizen(tx), { purpose: each.purpose })
    expect(await view(tx, partner, hmac)).toMatchObject({ is_current: true, is_created: each.isCreated })
    const written = `select from callback_event where partner_id = ${partner.id} and type = 'profile.viewed'`
    expect(await read(tx, written)).toHaveLength(each.events)
  }),
)

test('notifies the processes of a new record, and of nothing else', async () => {
  const { db } = service
  const [partner, citizen] = [await addPartner(db), await addCitizen(db)]
  const qr = await addQr(db, citizen)
  const listener = new pg.Client(await databaseUrlOf(service))
  await listener.connect()
  const received: string[] = []
  // Those of the tests before can still come.
  listener.on('notification', ({ payload }) => {
    if (payload!.startsWith(`record ${partner.id} `)) received.push(payload!)
  })
  await listener.query('listen tiwala')
  expect(await view(db, partner, 'unknown')).toMatchObject({ is_created: false })
  expect(await view(db, partner, qr.hmac, qr.tracking_no)).toMatchObject({ is_created: true })
  await expect.poll(() => received).not.toEqual([])
  await listener.end()
  expect(received).toEqual([`record ${partner.id} ${citizen.id} ${qr.tracking_no}`])
})
