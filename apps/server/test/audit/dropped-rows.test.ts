// A database that silently drops the rows of the audit, for example by a trigger: a request that the audit
// must record fails, and changes nothing.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { expirePending } from '../../src/authorizations/expiry.sql.ts'
import { startServiceForFile } from '../kit/api-client.ts'
import { DROP_AUDIT_ROWS, KEEP_AUDIT_ROWS } from '../kit/dropped-audit.ts'

const { service, api } = await startServiceForFile()
const { asCitizen: headers, asPartner, send } = api

type Prepare = () => Promise<() => Promise<Response>>

const decide =
  (
    id: 'acceptAuthorization' | 'declineAuthorization' | 'revokeAuthorization',
    prepare: () => Promise<string>,
  ) =>
  async () => {
    const tracking_no = await prepare()
    return () => send(id, { headers, path: { tracking_no } })
  }

async function createAccepted(): Promise<string> {
  const trackingNo = await api.createPendingRecord()
  expect((await api.accept(trackingNo)).status).toBe(200)
  return trackingNo
}

const REQUESTS: Record<string, Prepare> = {
  acceptAuthorization: decide('acceptAuthorization', api.createPendingRecord),
  declineAuthorization: decide('declineAuthorization', api.createPendingRecord),
  revokeAuthorization: decide('revokeAuthorization', createAccepted),
  cancelAuthorization: async () => {
    const tracking_no = await api.createPendingRecord()
    return () => send('cancelAuthorization', { headers: asPartner, path: { tracking_no } })
  },
  issueQrCode: async () => () => send('issueQrCode', { headers, json: { purpose: 'inquire' } }),
  issueExchangeCode: async () => () =>
    send('issueExchangeCode', { headers, json: { partner_code: api.partner.partner_code } }),
  replacePreferences: async () => () =>
    send('replacePreferences', { headers, json: { frozen: true, blocked_partners: [] } }),
}

const run = (text: string) => sql.raw(text).execute(service.db)
const states = async () =>
  JSON.stringify(
    (
      await sql`
        select r.id, r.state, c.frozen, (select count(*) from callback_event) as events,
               (select count(*) from qr_code) as codes, (select count(*) from exchange_code) as exchange_codes
          from authorization_record r join citizen c on c.id = r.citizen_id order by r.id`.execute(service.db)
    ).rows,
  )

describe('the audit drops its rows', () => {
  test('no record expires', async () => {
    const trackingNo = await api.createPendingRecord()
    await run(DROP_AUDIT_ROWS)
    await run(`update authorization_record set expires_at = clock_now() where tracking_no = '${trackingNo}'`)
    // The housekeeping may hold the lock of the record, which the statement then skips.
    const expire = () => expirePending(service.db, 10).catch(({ message }: Error) => message)
    await expect.poll(expire).toBe('the audit took 0 of 1 rows')
    const { rows } = await sql<{ state: string }>`
      delete from authorization_record where tracking_no = ${trackingNo} returning state`.execute(service.db)
    await run(KEEP_AUDIT_ROWS)
    expect(rows).toEqual([{ state: 'PENDING' }])
  })

  // The last request freezes everything.
  test.each(Object.entries(REQUESTS))('500: %s changes nothing', async (_id, prepare) => {
    const request = await prepare()
    const before = await states()
    await run(DROP_AUDIT_ROWS)
    const refused = await request()
    await run(KEEP_AUDIT_ROWS)
    expect([refused.status, await states()]).toEqual([500, before])
    // Control: the same request succeeds.
    expect((await request()).ok).toBe(true)
  })
})
