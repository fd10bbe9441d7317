// What happens exactly when a lifetime ends, with a stopped clock: it has ended.
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { countPending, expirePending } from '../../src/authorizations/expiry.sql.ts'
import { refusalOf, startServiceForFile } from '../kit/api-client.ts'
import { STOP_CLOCK } from '../kit/stopped-clock.ts'

const { service, api } = await startServiceForFile()
const { asCitizen: headers, asPartner, send } = api

const run = (text: string) => sql.raw(text).execute(service.db)
beforeAll(async () => void (await run(STOP_CLOCK)))

/** A record that is still stored as pending. */
async function createEnding(): Promise<string> {
  const trackingNo = await api.createPendingRecord()
  await run(`update authorization_record set expires_at = clock_now() where tracking_no = '${trackingNo}'`)
  return trackingNo
}

describe('a pending record', () => {
  test.each(['acceptAuthorization', 'declineAuthorization'] as const)('409: %s is too late', async (id) => {
    const path = { tracking_no: await createEnding() }
    expect(await refusalOf(send(id, { headers, path }))).toMatch(/^409 /)
  })

  test('409: the partner cannot cancel it', async () => {
    const path = { tracking_no: await createEnding() }
    expect(await refusalOf(send('cancelAuthorization', { headers: asPartner, path }))).toMatch(/^409 /)
  })

  test('it does not count as pending', async () => {
    await api.createPendingRecord()
    expect(await countPending(service.db)).toBeGreaterThan(0)
    const counted = await service.db.transaction().execute(async (tx) => {
      await sql`update authorization_record set expires_at = clock_now() where state = 'PENDING'`.execute(tx)
      return countPending(tx)
    })
    expect(counted).toBe(0)
  })

  test('200: its state is EXPIRED before and after it is stored', async () => {
    const trackingNo = await createEnding()
    const stateOf = async () => (await api.inquire(trackingNo)).headers.get('x-authorization-state')
    expect(await stateOf()).toBe('EXPIRED')
    // The housekeeping may do it first.
    await expirePending(service.db, 100)
    const { rows } = await sql<{ state: string }>`
      select state from authorization_record where tracking_no = ${trackingNo}`.execute(service.db)
    expect([rows, await stateOf()]).toEqual([[{ state: 'EXPIRED' }], 'EXPIRED'])
  })
})

describe('a value', () => {
  test('401: an access token', async () => {
    const token = await api.issueAccessToken()
    await run('update access_token set expires_at = clock_now()')
    expect(await refusalOf(api.signIn(token))).toMatch(/^401 /)
  })

  test.each(['inquire', 'share'] as const)('422: a QR value to %s', async (purpose) => {
    const qrValue = await api.issueQrValue(purpose)
    await run('update qr_code set expires_at = clock_now()')
    const use = purpose === 'inquire' ? api.request : api.viewByQr
    expect(await refusalOf(use(qrValue))).toMatch(/^422 /)
  })

  test('422: an exchange code', async () => {
    const code = await api.issueExchangeCode()
    await run('update exchange_code set expires_at = clock_now()')
    expect(await refusalOf(api.redeemExchangeCode(code))).toMatch(/^422 /)
  })
})

describe('a secret', () => {
  test('401, 403: a token and a new code do not outlive the secret of the partner', async () => {
    const [token, code] = [await api.issueAccessToken(), await api.issueExchangeCode()]
    await run('update credential set expires_at = clock_now()')
    expect(await refusalOf(api.signIn(token))).toMatch(/^401 /)
    expect(await refusalOf(api.redeemExchangeCode(code))).toMatch(/^403 /)
    // A partner that was authenticated within the last second is not looked up again.
    await expect.poll(() => refusalOf(api.inquire('unknown'))).toMatch(/^401 /)
  })
})
