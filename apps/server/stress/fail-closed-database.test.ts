// SECURITY section 3: each table is taken from under a running server, and the audit is made unwritable. Every call is right or refused.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { CACHE_TTL_MS } from '../src/partners/partner-cache.ts'
import { startService, type TestService } from '../src/testing/start-service.ts'
import { all, type CallName, FOUR, NO_RETRIES, prepareCanary, present } from '../test/kit/disclosing-requests.ts'
import { addressOf } from './database-url.ts'
import { reachInto, WAYS } from './unwritable-audit.ts'

let sound: TestService
let canary: Awaited<ReturnType<typeof prepareCanary>>
let hand: Awaited<ReturnType<typeof reachInto>>
beforeAll(async () => {
  sound = await startService(inject('postgres'), NO_RETRIES)
  canary = await prepareCanary(sound)
  const isUp = async () => (await fetch(`${sound.url}/readyz`)).status === 200
  hand = await reachInto(await addressOf(sound), () => sleep(100).then(() => vi.waitUntil(isUp, { timeout: 5_000 })))
})
afterAll(async () => {
  await hand[Symbol.asyncDispose]()
  await sound.close()
})

/** What no call can do without; of the other tables each call may be right, or refused. */
const NEEDED: Record<string, readonly CallName[]> = {
  audit_event: FOUR,
  citizen: FOUR,
  clock: FOUR,
  partner: FOUR,
  credential: ['inquire', 'profileByQr', 'generateToken'],
  authorization_record: ['inquire', 'profileByQr'],
  qr_code: ['profileByQr'],
  exchange_code: ['generateToken'],
  access_token: ['generateToken', 'authenticate'],
  installation: ['profileByQr', 'generateToken', 'authenticate'],
}
/** What no request waits for. */
const BESIDE = new Set(['audit_checkpoint', 'audit_leaf', 'diagnosis', 'dispute', 'webhook_secret', 'callback_endpoint'])
const REFUSED_OR_RIGHT = expect.stringMatching(/^(refused|right)$/)

/** Presents everything to a server that was spoilt, then what was refused to the mended one. */
async function drill(spoil: () => Promise<unknown>, mend: () => Promise<unknown>) {
  const prepared = await canary.prepare()
  const before = await hand.count('audit_event')
  await spoil()
  // Who has proved to be a partner is remembered for a moment.
  await sleep(CACHE_TTL_MS + 50)
  const spoilt = await present(canary.people, prepared).finally(mend)
  const given = FOUR.filter((name) => spoilt[name]!.verdict === 'right')
  const refused = FOUR.filter((name) => !given.includes(name))
  const recorded = (await hand.count('audit_event')) - before
  return { spoilt, refused, unrecorded: given.length - recorded, mended: await present(canary.people, prepared, refused) }
}

describe('a table is gone', () => {
  test('200, 500: each in its turn: whoever needs it is refused, and nothing is used up', async () => {
    const tables = await hand.namesOf("select tablename as name from pg_tables where schemaname = 'public'")
    expect(Object.keys(NEEDED).filter((table) => !tables.includes(table))).toEqual([])
    for (const table of tables) {
      const away = `alter table ${table} rename to gone`
      const { spoilt, refused, unrecorded, mended } = await drill(
        () => hand.sql(away),
        () => hand.sql(`alter table gone rename to ${table}`),
      )
      const statuses = Object.values(spoilt).map(({ status }) => status)
      expect([table, spoilt]).toEqual([
        table,
        Object.fromEntries(FOUR.map((name) => [name, { verdict: REFUSED_OR_RIGHT, status: expect.any(Number) }])),
      ])
      expect([table, statuses.filter((status) => status !== 200 && status < 500)]).toEqual([table, []])
      expect([table, refused]).toEqual([table, expect.arrayContaining([...(NEEDED[table] ?? [])])])
      expect([table, BESIDE.has(table) ? refused : []]).toEqual([table, []])
      // Nothing was given without its audit row, and nothing was used up.
      expect([table, unrecorded, mended]).toEqual([table, 0, all('right', refused)])
    }
  })

  test.each(['clock_now()', 'current_epoch()'])('%s: whoever needs it is refused, and nothing is used up', async (name) => {
    const { refused, unrecorded, mended } = await drill(
      () => hand.sql(`alter function ${name} rename to gone`),
      () => hand.sql(`alter function gone() rename to ${name.replace('()', '')}`),
    )
    expect(refused).toEqual(expect.arrayContaining(['profileByQr', 'generateToken', 'authenticate']))
    expect([unrecorded, mended]).toEqual([0, all('right', refused)])
  })
})

describe('no audit, no disclosure', () => {
  test.each(WAYS)('$how: everything is refused, and nothing is used up', async ({ spoil, mend }) => {
    const { spoilt, mended } = await drill(
      () => spoil(hand),
      () => mend(hand),
    )
    expect(spoilt).toEqual(all('refused'))
    expect(mended).toEqual(all('right'))
  })

  test('control: where nothing is spoilt everything is given, and recorded', async () => {
    const { spoilt, unrecorded } = await drill(
      async () => {},
      async () => {},
    )
    expect([spoilt, unrecorded]).toEqual([all('right'), 0])
  })
})
