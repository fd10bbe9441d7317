// A request can wait for a row lock. If the token expires during the wait, or the citizen freezes all
// disclosures, the request is too late, although it arrived in time.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type ApiClient, startServiceForFile } from '../kit/api-client.ts'
import { countBlocked } from '../kit/blocked-statements.ts'
import { SINGLE_USE_KINDS } from '../kit/single-use-kinds.ts'

const ROUNDS = 5
const MAX_ATTEMPTS = 100

const { service, api } = await startServiceForFile()

/**
 * Locks the newest row of the table, sends a request that waits for the lock, runs `meanwhile`, and releases
 * the lock. All of it takes a few milliseconds, because the waiting statement gives up.
 */
async function redeemBehindLock<T>(
  table: (typeof KINDS)[number]['table'],
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

const KINDS = [
  ...SINGLE_USE_KINDS,
  {
    what: 'an acceptance',
    table: 'authorization_record',
    lifeSeconds: 300,
    mint: ({ createPendingRecord }: ApiClient) => createPendingRecord(),
    use: ({ accept }: ApiClient, trackingNo: string) => accept(trackingNo),
    refusal: '409 authorization_not_pending',
  },
] as const

describe.each(KINDS)('$what behind a lock', ({ table, lifeSeconds, mint, use, refusal }) => {
  const lateStatus = Number(refusal.slice(0, 3))
  const prepare = async () => {
    const value = await mint(api)
    return async () => (await use(api, value)).status
  }
  const outcomes = (meanwhile: () => Promise<void>) =>
    statusesOf(async () => redeemBehindLock(table, await prepare(), meanwhile))

  test(`${lateStatus}: refused when the lifetime ended during the wait`, async () => {
    expect(await outcomes(() => service.advance(lifeSeconds + 1))).toEqual(Array(ROUNDS).fill(lateStatus))
  })

  test('200: a request that waited for a lock succeeds if nothing changed', async () => {
    expect(await outcomes(async () => {})).toEqual(Array(ROUNDS).fill(200))
  })
})

// An acceptance takes the lock of its citizen first: who freezes waits for it (`record-locks.test.ts`).
test.each(SINGLE_USE_KINDS)(
  '$refusal: $what is refused when the citizen froze all disclosures while it waited for a lock',
  async ({ table, mint, use, refusal }) => {
    const freeze = (frozen: boolean) => sql`update citizen set frozen = ${frozen}`.execute(service.db)
    const statuses = await statusesOf(async () => {
      await freeze(false)
      const value = await mint(api)
      const send = async () => (await use(api, value)).status
      return redeemBehindLock(table, send, async () => void (await freeze(true)))
    })
    await freeze(false)
    expect(statuses).toEqual(Array(ROUNDS).fill(Number(refusal.slice(0, 3))))
  },
)

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
