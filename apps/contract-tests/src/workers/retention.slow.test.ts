import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

/** A separate service, because the test moves the clock far ahead. */
const service = await startServiceForFile({ TIWALA_SECRET_TTL_DAYS: '1000' })

const count = async (text: string) =>
  (await service.dumpDatabase()).split('\n').filter((row) => row.includes(text)).length
const soon = { timeout: 60_000, interval: 20 }

describe('retention', () => {
  test('410: the copy of a profile is erased after its reading time, and the record stays', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    await citizen.accept(record.tracking_no)
    const viewed = await partner.profiles.profileByQr(await citizen.showQr('share'))
    const copies = async () => (await service.countRows('authorization_record where snapshot is not null'))[0]
    expect(await copies()).toBe(2)
    await service.advance(3_500)
    expect((await partner.profiles.inquire(record.tracking_no)).state).toBe('ACCEPTED')
    await service.advance(101)
    await expect.poll(copies, soon).toBe(0)
    for (const { tracking_no } of [record, viewed.record])
      expect((await refusal(partner.profiles.inquire(tracking_no))).code).toBe('result_expired')
  })

  test('a request expires once: one state, one audit row', async () => {
    const { trackingNo, partner } = await service.pending()
    await service.advance(301)
    await expect.poll(() => count(`,authorization.expired,`), soon).toBeGreaterThan(0)
    await service.advance(1)
    expect((await partner.profiles.inquire(trackingNo)).state).toBe('EXPIRED')
    const rows = (await service.dumpDatabase())
      .split('\n')
      .filter((row) => row.includes(trackingNo) && row.includes('authorization.expired'))
    expect(rows).toHaveLength(1)
  })

  test('used codes are deleted after a day, and records after ninety days', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    await citizen.decline(record.tracking_no)
    await partner.sso.signIn(await citizen.exchangeCode(partner.code))
    const codes = () => service.countRows('qr_code', 'exchange_code', 'access_token')
    expect(Math.min(...(await codes()))).toBeGreaterThan(0)
    await service.advance(86_400 + 61)
    await expect.poll(codes, soon).toEqual([0, 0, 0])
    expect((await partner.profiles.inquire(record.tracking_no)).state).toBe('DECLINED')
    await service.advance(90 * 86_400)
    // A partition that another task reads just then is dropped in a later round, half a minute after the one before.
    const inThreeRounds = { ...soon, timeout: 100_000 }
    await expect.poll(() => service.countRows('authorization_record'), inThreeRounds).toEqual([0])
    expect((await refusal(partner.profiles.inquire(record.tracking_no))).code).toBe('tracking_no_not_found')
  })

  test('events are deleted thirty days after they were delivered or dead', async () => {
    const partner = await service.partner({ callback_url: 'http://127.0.0.1:9/' })
    await service.operator('testCallback', { path: { partner_code: partner.code } })
    await service.operator('setCallback', {
      path: { partner_code: partner.code },
      body: { callback_url: null },
    })
    const deliveries = async () =>
      (await service.operator('listDeliveries', { query: { partner_code: partner.code } })).body.deliveries
    for (let hours = 0; hours < 11 && (await deliveries())[0]?.status !== 'DEAD'; hours++) {
      await service.advance(27 * 3_600)
      await expect.poll(async () => (await deliveries())[0]!.attempts, soon).toBeGreaterThan(hours)
    }
    expect(await deliveries()).toMatchObject([{ status: 'DEAD' }])
    await service.advance(31 * 86_400)
    await expect.poll(deliveries, soon).toEqual([])
  })

  test('approvals, anomalies, use, sessions, sign-ins and the state of their protocol are deleted', async () => {
    const partner = await service.partner()
    const { memberId } = await service.signIn(partner.code)
    await service.signInOperator(['partners:read'])
    // What ended long ago. `old-rows.test.ts` of the server has the exact time of each.
    const past = sql`clock_now() - interval '2 years'`
    const id = sql`(select id from partner where partner_code = ${partner.code})`
    for (const row of [
      sql`approval (approval_id, kind, partner_id, requested_by, change, previous, expires_at)
          values ('apr_old', 'suspension', ${id}, ${memberId}, '{}', '{}', ${past})`,
      sql`anomaly (anomaly_id, partner_id, kind, ended_at, expected, threshold, observed, address_ranges)
          values ('ano_old', ${id}, 'rate', ${past}, 1, 2, 2, '{}')`,
      sql`partner_use (partner_id, kind, name, first_used_on, last_used_on)
          values (${id}, 'client', 'old', ${past}, ${past})`,
      sql`sign_in_request (id, partner_id, interaction_uid, browser_hmac, purpose, items, optional_items, comparison,
                           expires_at)
          values ('old', ${id}, 'old', 'old', 'login', '{}', '{}', '', ${past})`,
      sql`oidc_state (model, id_hmac, content, expires_at) values ('Session', 'old', '', ${past})`,
    ])
      await sql`insert into ${row}`.execute(service.db)
    await service.advance(86_400)
    const old = () =>
      service.countRows(
        'approval',
        'anomaly',
        `partner_use where name = 'old'`,
        'sign_in_request',
        'oidc_state',
        'member_session',
        'operator_session',
      )
    await expect.poll(old, soon).toEqual([0, 0, 0, 0, 0, 0, 0])
  })
})
