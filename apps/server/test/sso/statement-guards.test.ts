// What the statements of single sign-on check themselves, and what they write.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { auditRefusedCode } from '../../src/sso/generate-token/refused-code.sql.ts'
import { insertExchangeCode } from '../../src/sso/issue-exchange-code/issue-exchange-code.sql.ts'
import { startServiceForFile } from '../kit/api-client.ts'
import { countBlocked, withLongLockTimeout } from '../kit/blocked-statements.ts'
import { disclosingStatements } from '../kit/disclosing-statements.ts'

const { service, api } = await startServiceForFile()
const { singleUse, accessNow } = disclosingStatements(service, api)
const consumeToken = singleUse.find(({ name }) => name === 'consumeToken')!

async function read<Row extends object>(text: string): Promise<Row[]> {
  return (await sql.raw<Row>(text).execute(service.db)).rows
}

const TOKEN = '(select max(id) from access_token)'

describe('consumeToken waits for a row. It discloses nothing if, during the wait,', () => {
  test.each([
    {
      what: 'the token was revoked',
      change: `update access_token set revoked_at = clock_now() where id = ${TOKEN}`,
      undo: 'select',
    },
    {
      what: 'the secret that obtained it expired',
      change: `update access_token set used_at = used_at where id = ${TOKEN}`,
      advanceSeconds: 31,
      undo: `update credential set expires_at = clock_now() + interval '1 year'`,
    },
    {
      what: 'control: nothing, the profile is disclosed',
      change: `update access_token set used_at = used_at where id = ${TOKEN}`,
      undo: 'select',
      isDone: true,
    },
  ])('$what', async ({ change, undo, advanceSeconds, isDone = false }) => {
    const [run, access] = [await consumeToken.prepare(), await accessNow('partner_secret')]
    if (advanceSeconds)
      await read(
        `update credential set expires_at = clock_now() + interval '30 s' where kind = 'partner_secret'`,
      )
    const holder = await service.db.startTransaction().execute()
    await sql.raw(change).execute(holder)
    const waiting = withLongLockTimeout(service.db, (tx) => run(tx, access))
    await expect.poll(() => countBlocked(service.db)).toBeGreaterThan(0)
    if (advanceSeconds) await service.advance(advanceSeconds)
    await holder.commit().execute()
    expect(await waiting).toBe(isDone)
    await read(undo)
  })
})

describe('consumeToken writes an event', () => {
  test.each([
    { callbackUrl: `'https://partner.example/events'`, events: 1 },
    { callbackUrl: 'null', events: 0 },
  ])('$events with the callback URL $callbackUrl', async ({ callbackUrl, events }) => {
    const [run, access] = [await consumeToken.prepare(), await accessNow('partner_secret')]
    await read(`update partner set callback_url = ${callbackUrl} where id = ${access.partnerId}`)
    const [before] = await service.countRows('callback_event')
    expect(await run(service.db, access)).toBe(true)
    const [after] = await service.countRows('callback_event')
    await read(`update partner set callback_url = null where id = ${access.partnerId}`)
    expect(after! - before!).toBe(events)
  })
})

describe('auditRefusedCode', () => {
  const auditOf = async (requestId: string) =>
    (await read<{ kind: string }>(`select kind from audit_event where request_id = '${requestId}'`)).map(
      ({ kind }) => kind,
    )
  /** The audited events of the next refusal of the newest code. */
  async function refuse(): Promise<string[]> {
    const [{ hmac, partner_id }] = (await read<{ hmac: string; partner_id: number }>(
      'select hmac, partner_id from exchange_code order by id desc limit 1',
    )) as [{ hmac: string; partner_id: number }]
    const requestId = randomUUID()
    await auditRefusedCode(service.db, partner_id, [hmac], requestId)
    return auditOf(requestId)
  }

  test('revokes the token of a reused code once, and audits it once', async () => {
    await api.issueAccessToken()
    await service.advance(2)
    expect(await refuse()).toEqual(['code.reused'])
    const revokedAt = `select revoked_at from access_token where id = ${TOKEN}`
    const revoked = await read(revokedAt)
    await service.advance(2)
    expect(await refuse()).toEqual([])
    expect(await read(revokedAt)).toEqual(revoked)
  })

  test('neither audits nor revokes within a second after the redemption', async () => {
    await api.issueAccessToken()
    await read('update exchange_code set redeemed_at = clock_now()')
    expect(await refuse()).toEqual([])
    expect(await read(`select revoked_at from access_token where id = ${TOKEN}`)).toEqual([
      { revoked_at: null },
    ])
  })

  test('does not take a code of the partner for that of another', async () => {
    await api.issueExchangeCode()
    await service.advance(61)
    expect(await refuse()).toEqual([])
  })
})

test('insertExchangeCode: a frozen citizen gets no code, and no event is audited', async () => {
  const [{ uniqid_hmac, id }] = (await read<{ uniqid_hmac: string; id: number }>(
    'select uniqid_hmac, id from citizen limit 1',
  )) as [{ uniqid_hmac: string; id: number }]
  const issue = () =>
    insertExchangeCode(
      service.db,
      [uniqid_hmac],
      api.partner.partner_code,
      { hmac: randomUUID(), challenge: undefined, hasState: false, ttlSeconds: 60 },
      randomUUID(),
    )
  const count = () => service.countRows('exchange_code', 'audit_event')
  await read(`update citizen set frozen = true where id = ${id}`)
  const before = await count()
  expect(await issue()).toMatchObject({ is_permitted: false })
  expect(await count()).toEqual(before)
  await read('update citizen set frozen = false')
  expect(await issue()).toMatchObject({ is_permitted: true })
})
