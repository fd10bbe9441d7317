// A request can wait for a row lock. If the token expires during the wait, or the citizen freezes all
// disclosures, the request is too late, although it arrived in time.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startServiceForFile } from '../kit/api-client.ts'
import { countBlocked } from '../kit/blocked-statements.ts'

const ROUNDS = 5
const MAX_ATTEMPTS = 100

const { service, api } = await startServiceForFile()

type Table = 'exchange_code' | 'access_token' | 'qr_code' | 'authorization_record'

/**
 * Locks the newest row of the table, sends a request that waits for the lock, runs `meanwhile`, and releases
 * the lock. All of it takes a few milliseconds, because the waiting statement gives up after 250 ms.
 */
async function redeemBehindLock<T>(
  table: Table,
  redeem: () => Promise<T>,
  meanwhile: () => Promise<void>,
): Promise<T> {
  const redeemed = await service.db.transaction().execute(async (holder) => {
    const age = sql.ref(table === 'authorization_record' ? 'requested_at' : 'id')
    await sql`
      select 1 from ${sql.table(table)}
       where id = (select id from ${sql.table(table)} order by ${age} desc limit 1) for update`.execute(
      holder,
    )
    const blocked = redeem()
    while ((await countBlocked(service.db)) === 0) await new Promise(setImmediate)
    await meanwhile()
    // In an array: returning the promise itself would wait for it while the row is still locked.
    return [blocked] as const
  })
  return redeemed[0]
}

/**
 * The status of each round. On a busy machine the waiting statement may give up (503): then the round is
 * repeated.
 */
async function statusesOf(round: () => Promise<number>): Promise<number[]> {
  const statuses: number[] = []
  for (let left = MAX_ATTEMPTS; left > 0 && statuses.length < ROUNDS; left--) {
    const status = await round()
    if (status !== 503) statuses.push(status)
  }
  return statuses
}

const statusOf = async (pendingResponse: Promise<Response>) => (await pendingResponse).status

const redeemers: [
  name: string,
  table: Table,
  lifeSeconds: number,
  prepare: () => Promise<() => Promise<number>>,
  lateStatus: number,
][] = [
  [
    'exchange code',
    'exchange_code',
    60,
    async () =>
      (
        (code) => () =>
          statusOf(api.redeemExchangeCode(code))
      )(await api.issueExchangeCode()),
    422,
  ],
  [
    'access token',
    'access_token',
    300,
    async () =>
      (
        (token) => () =>
          statusOf(api.signIn(token))
      )(await api.issueAccessToken()),
    401,
  ],
  [
    'QR value for a request',
    'qr_code',
    60,
    async () =>
      (
        (qr) => () =>
          statusOf(api.request(qr))
      )(await api.issueQrValue('inquire')),
    422,
  ],
  [
    'QR value for sharing',
    'qr_code',
    60,
    async () =>
      (
        (qr) => () =>
          statusOf(api.viewByQr(qr))
      )(await api.issueQrValue('share')),
    422,
  ],
  [
    'acceptance',
    'authorization_record',
    300,
    async () =>
      (
        (trackingNo) => () =>
          statusOf(api.accept(trackingNo))
      )(await api.createPendingRecord()),
    409,
  ],
]

describe.each(redeemers)('%s behind a lock', (_name, table, lifeSeconds, prepare, lateStatus) => {
  const outcomes = (meanwhile: () => Promise<void>) =>
    statusesOf(async () => redeemBehindLock(table, await prepare(), meanwhile))

  test(`${lateStatus}: refused when the lifetime ended during the wait`, async () => {
    expect(await outcomes(() => service.advance(lifeSeconds + 1))).toEqual(Array(ROUNDS).fill(lateStatus))
  })

  test(`${lateStatus}: refused when the citizen froze all disclosures during the wait`, async () => {
    const freeze = (frozen: boolean) => sql`update citizen set frozen = ${frozen}`.execute(service.db)
    const statuses = await statusesOf(async () => {
      await freeze(false)
      return redeemBehindLock(table, await prepare(), async () => void (await freeze(true)))
    })
    await freeze(false)
    expect(statuses).toEqual(Array(ROUNDS).fill(lateStatus))
  })

  test('200: a request that waited for a lock succeeds if nothing changed', async () => {
    expect(await outcomes(async () => {})).toEqual(Array(ROUNDS).fill(200))
  })
})

test('control: a statement that checks the expiry before it waits accepts every late request', async () => {
  const statuses = await statusesOf(async () => {
    await api.issueExchangeCode()
    const { rows } = await sql<{ id: number }>`select max(id) as id from exchange_code`.execute(service.db)
    const naive = () =>
      sql`
        update exchange_code set redeemed_at = clock_now()
         where id = ${rows[0]!.id} and redeemed_at is null and expires_at > clock_now()
        returning id`
        .execute(service.db)
        .then(
          (updated) => (updated.rows.length ? 200 : 422),
          () => 503,
        )
    return redeemBehindLock('exchange_code', naive, () => service.advance(61))
  })
  expect(statuses).toEqual(Array(ROUNDS).fill(200))
})
