import { randomUUID } from 'node:crypto'
import type { Body, Schemas } from '@tiwala/contract'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { createCallbackClient, NOWHERE } from '../kit/callback-client.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()
const callbacks = createCallbackClient(service)

type Type = Schemas['EventType']

/** Adds dead letters of a partner, one each second from this time on. */
async function addDead(partnerCode: string, count: number, type: Type = 'webhook.test', from = '2026-01-01') {
  await sql`
    insert into callback_event (partner_id, type, data, occurred_at, status, attempts, next_attempt_at)
    select p.id, ${type}, '{"is_test":true}', ${from}::timestamptz + make_interval(secs => n), 'DEAD', 10, null
      from partner p, generate_series(1, ${count}::int) n where p.partner_code = ${partnerCode}`.execute(
    service.db,
  )
}

/** A partner whose server refuses connections, so that its events stay pending. */
async function unreachable() {
  const partner = await service.partner()
  await callbacks.setUrl(partner, NOWHERE)
  return partner
}

const replay = async (body: Partial<Body<'replayDeadLetters'>>) =>
  (await service.operator('replayDeadLetters', { body: { limit: 1_000, ...body } })).body
const deadOf = async (partnerCode: string) =>
  (await callbacks.list({ partner_code: partnerCode, status: 'DEAD' })).deliveries

beforeEach(() => sql`delete from callback_event`.execute(service.db))

describe('replayDeadLetters', () => {
  test('200: those of one partner are pending again, as new, and are delivered', async () => {
    const [partner, other] = [await callbacks.reachable(), await unreachable()]
    await addDead(partner.code, 40)
    await addDead(other.code, 2)
    expect(await replay({ partner_code: partner.code })).toEqual({ replayed: 40, has_more: false })
    await expect
      .poll(async () => (await service.countRows("callback_event where status = 'DELIVERED'"))[0])
      .toBe(40)
    expect(await deadOf(other.code)).toHaveLength(2)
  })

  test('200: at most `limit`, the oldest first, until none remains', async () => {
    const partner = await unreachable()
    await addDead(partner.code, 5)
    const newest = (await deadOf(partner.code))[0]!
    expect(await replay({ limit: 4 })).toEqual({ replayed: 4, has_more: true })
    expect((await deadOf(partner.code)).map(({ webhook_id }) => webhook_id)).toEqual([newest.webhook_id])
    expect(await replay({ limit: 4 })).toEqual({ replayed: 1, has_more: false })
    expect(await replay({ limit: 4 })).toEqual({ replayed: 0, has_more: false })
  })

  test('200: those of a type and of a time', async () => {
    const partner = await unreachable()
    await addDead(partner.code, 3)
    await addDead(partner.code, 2, 'profile.viewed')
    expect(await replay({ type: 'profile.viewed' })).toEqual({ replayed: 2, has_more: false })
    const selection = { from: '2026-01-01T00:00:02Z', to: '2026-01-01T00:00:03Z' }
    expect(await replay(selection)).toEqual({ replayed: 1, has_more: false })
    expect(await deadOf(partner.code)).toHaveLength(2)
  })

  test('200: a pending or delivered event, and those of an unknown partner, stay as they are', async () => {
    const partner = await callbacks.reachable()
    await callbacks.sendTest(partner)
    await callbacks.untilDelivery(partner, ({ status }) => status === 'DELIVERED')
    expect(await replay({})).toEqual({ replayed: 0, has_more: false })
    await addDead(partner.code, 1)
    expect(await replay({ partner_code: `U${randomUUID().slice(0, 8).toUpperCase()}` })).toEqual({
      replayed: 0,
      has_more: false,
    })
    expect(await deadOf(partner.code)).toHaveLength(1)
  })

  test('200: two requests at once restart each event once', async () => {
    const partner = await unreachable()
    await addDead(partner.code, 20)
    const results = await Promise.all([replay({}), replay({})])
    expect(results.reduce((sum, { replayed }) => sum + replayed, 0)).toBe(20)
  })

  test('200: one row of the audit names the partner and the number', async () => {
    const partner = await unreachable()
    await addDead(partner.code, 3)
    await replay({ partner_code: partner.code })
    const { events } = (
      await service.operator('listAuditEvents', { query: { kind: 'dead_letters.replayed', limit: 1 } })
    ).body
    expect(events).toMatchObject([{ partner_code: partner.code, detail: '3' }])
  })

  test('200: those that would be dead again at once stay: no callback URL, or a server that answered 410', async () => {
    const [partner, disabled] = [await service.partner(), await unreachable()]
    await sql`
      insert into callback_endpoint (partner_id, disabled_at)
      select id, now() from partner where partner_code = ${disabled.code}
          on conflict (partner_id) do update set disabled_at = now()`.execute(service.db)
    for (const { code } of [partner, disabled]) await addDead(code, 1)
    expect(await replay({})).toEqual({ replayed: 0, has_more: false })
  })

  test('422: a time that does not exist', async () => {
    expect((await refusal(replay({ from: '2026-13-01T00:00:00Z' }))).code).toBe('validation_failed')
  })
})
