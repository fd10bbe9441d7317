// The partner's own events in the workbench.
import { randomUUID } from 'node:crypto'
import type { Body, Schemas } from '@tiwala/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { callWorkbench } from '../kit/member.ts'
import { startServiceForFile } from '../kit/test-service.ts'
import { partnerWithReceiver, respondWith, untilReceived } from '../kit/webhook-receiver.ts'

const service = await startServiceForFile({})

async function prepare(role: Schemas['MemberRole'] = 'developer') {
  const { partner, receiver, citizen } = await partnerWithReceiver(service)
  const signIn = async (as: Schemas['MemberRole']) =>
    callWorkbench(service.url, (await service.signIn(partner.code, as)).headers)
  const call = await signIn(role)
  const list = async (query: Record<string, string> = {}) =>
    (await call('listOwnDeliveries', { query })).body.deliveries
  /** The ids of all events, in pages of two. */
  const listPages = async () => {
    const seen: string[] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const { body } = await call('listOwnDeliveries', { query: { limit: '2', ...(cursor && { cursor }) } })
      seen.push(...idsOf(body.deliveries))
      cursor = body.next_cursor
    }
    return seen
  }
  const untilStatus = async (webhook_id: string, status: Schemas['DeliveryStatus']) => {
    await expect
      .poll(async () => (await call('readDelivery', { path: { webhook_id } })).body.delivery.status, {
        timeout: 10_000,
      })
      .toBe(status)
  }
  const sendTest = async (type: Schemas['EventType'] = 'webhook.test') =>
    (await call('testOwnCallback', { body: { type } })).body
  const replay = async (body: Partial<Body<'replayOwnRange'>> = {}) =>
    (await call('replayOwnRange', { body: { status: 'DEAD', limit: 1_000, ...body } })).body
  const audit = async (kind: string) => {
    const query = { kind, partner_code: partner.code }
    return (await service.operator('listAuditEvents', { query })).body.events
  }
  return { partner, receiver, citizen, signIn, call, list, listPages, untilStatus, sendTest, replay, audit }
}

/** Dead letters of a partner, each `secondsApart` after the one before. */
const addDead = (partnerCode: string, count: number, type = 'webhook.test', secondsApart = 1) =>
  sql`
    insert into callback_event (partner_id, type, data, occurred_at, status, attempts, next_attempt_at)
    select p.id, ${type}, '{"is_test":true}', '2026-01-01'::timestamptz + make_interval(secs => n * ${secondsApart}::float), 'DEAD', 10, null
      from partner p, generate_series(1, ${count}::int) n where p.partner_code = ${partnerCode}`.execute(
    service.db,
  )

const idsOf = (deliveries: Schemas['Delivery'][]) => deliveries.map(({ webhook_id }) => webhook_id)

describe('deliveries', () => {
  test('200: filters by status, type, tracking number and time, page by page', async () => {
    const { partner, citizen, list, listPages, receiver } = await prepare('viewer')
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    await citizen.accept(record.tracking_no)
    await untilReceived(receiver, 1)
    await addDead(partner.code, 3)
    await addDead(partner.code, 1, 'profile.viewed')
    await expect.poll(async () => (await list({ status: 'DELIVERED' })).length).toBe(1)
    const all = await list()
    expect(all.map(({ type }) => type)).toEqual([
      'authorization.accepted',
      'webhook.test',
      'webhook.test',
      'profile.viewed',
      'webhook.test',
    ])
    const countOf = async (query: Record<string, string>) => (await list(query)).length
    expect(await countOf({ status: 'DEAD' })).toBe(4)
    expect(await countOf({ type: 'profile.viewed' })).toBe(1)
    expect(await countOf({ status: 'DEAD', type: 'authorization.accepted' })).toBe(0)
    const { tracking_no } = record
    expect(idsOf(await list({ tracking_no }))).toEqual([all[0]!.webhook_id])
    expect(await countOf({ tracking_no, status: 'DEAD' })).toBe(0)
    expect(await countOf({ since: '2026-01-01T00:00:02Z', until: '2026-01-01T00:00:03Z' })).toBe(1)
    expect(await countOf({ tracking_no, until: '2026-01-02T00:00:00Z' })).toBe(0)
    expect(await listPages()).toEqual(idsOf(all))
  })

  test('200: the tracking number of another partner finds nothing', async () => {
    const [mine, other] = [await prepare('viewer'), await prepare('viewer')]
    const { record } = await other.partner.profiles.requestAuthorization(await other.citizen.showQr())
    const { tracking_no } = record
    await other.citizen.decline(tracking_no)
    expect(await other.list({ tracking_no })).toHaveLength(1)
    expect(await mine.list({ tracking_no })).toEqual([])
  })

  test('200: pages of events that occurred in one millisecond', async () => {
    const { partner, list, listPages } = await prepare('viewer')
    await addDead(partner.code, 5, 'webhook.test', 0.000_1)
    const all = await list()
    expect(all.length).toBe(5)
    expect(await listPages()).toEqual(idsOf(all))
  })

  test('422: the cursor of another partner, and a time that does not exist', async () => {
    const [mine, other] = [await prepare(), await prepare()]
    const { webhook_id: cursor } = await other.sendTest()
    for (const query of [{ cursor }, { since: '2026-13-01T00:00:00Z' }])
      expect((await mine.call('listOwnDeliveries', { query })).status).toBe(422)
    const body = { status: 'DEAD' as const, limit: 1, cursor }
    expect((await mine.call('replayOwnRange', { body })).status).toBe(422)
  })

  test('200: each attempt with its outcome and duration, and the body as it was sent', async () => {
    const { receiver, call, sendTest, untilStatus } = await prepare()
    receiver.setResponse((res) => void setTimeout(() => res.writeHead(500).end(), 30))
    const { webhook_id } = await sendTest('authorization.accepted')
    const path = { webhook_id }
    const read = async () => (await call('readDelivery', { path })).body
    await expect.poll(async () => (await read()).attempts.length).toBe(1)
    receiver.setResponse(respondWith(204))
    await call('replayOwnDeliveries', { body: { webhook_ids: [webhook_id] } })
    await untilStatus(webhook_id, 'DELIVERED')
    const { delivery, attempts, body } = await read()
    expect(attempts).toEqual([
      { attempted_at: expect.any(String), outcome: 'HTTP 500', duration_ms: expect.any(Number) },
      { attempted_at: delivery.last_attempt_at, outcome: 'HTTP 204', duration_ms: expect.any(Number) },
    ])
    expect(attempts[0]!.duration_ms).toBeGreaterThanOrEqual(25)
    expect(receiver.received.map((each) => String(each.body))).toEqual([body, body])
  })
})

describe('replays', () => {
  test('200: 200 dead letters of a time are delivered, in pieces and each once', async () => {
    const { partner, receiver, replay, list, audit } = await prepare()
    await addDead(partner.code, 210)
    const range = { since: '2026-01-01T00:00:01Z', until: '2026-01-01T00:03:21Z' }
    const first = await replay({ ...range, limit: 150 })
    expect(first).toEqual({ replayed: 150, next_cursor: expect.stringMatching(/^evt_/) })
    expect(await replay({ ...range, limit: 150, cursor: first.next_cursor! })).toEqual({
      replayed: 50,
      next_cursor: null,
    })
    await untilReceived(receiver, 200)
    await expect.poll(async () => (await list({ status: 'DEAD', limit: '100' })).length).toBe(10)
    expect(await audit('deliveries.replayed')).toMatchObject([
      { actor: expect.stringMatching(/^mbr_/), detail: '50' },
      { actor: expect.stringMatching(/^mbr_/), detail: '150' },
    ])
  })

  test('200: what the partner confirmed and lost, of one type', async () => {
    const { receiver, sendTest, replay, untilStatus } = await prepare()
    for (const type of ['webhook.test', 'profile.viewed'] as const)
      await untilStatus((await sendTest(type)).webhook_id, 'DELIVERED')
    expect(await replay({ type: 'profile.viewed' })).toEqual({ replayed: 0, next_cursor: null })
    const lost = { status: 'DELIVERED', type: 'profile.viewed' } as const
    expect(await replay(lost)).toEqual({ replayed: 1, next_cursor: null })
    const received = await untilReceived(receiver, 3)
    expect(received.map(({ event }) => event.type)).toEqual([
      'webhook.test',
      'profile.viewed',
      'profile.viewed',
    ])
  })

  test('200: a selection, without events of another partner', async () => {
    const [mine, other] = [await prepare(), await prepare()]
    await addDead(mine.partner.code, 3)
    await addDead(other.partner.code, 1)
    const [own, foreign] = [await mine.list(), await other.list()]
    const webhook_ids = [...idsOf(own).slice(1), ...idsOf(foreign), 'unknown']
    const { body } = await mine.call('replayOwnDeliveries', { body: { webhook_ids } })
    expect(idsOf(body.deliveries).toSorted()).toEqual(idsOf(own).slice(1).toSorted())
    expect(body.deliveries[0]).toMatchObject({ status: 'PENDING', attempts: 0 })
    expect(await other.list()).toEqual(foreign)
    expect(await other.replay()).toEqual({ replayed: 1, next_cursor: null })
    // One row for the request, however many events it names, and the id of a single one.
    expect(await mine.audit('delivery.replayed')).toEqual([])
    expect(await mine.audit('deliveries.replayed')).toMatchObject([{ detail: '2' }])
    const [one] = idsOf(own)
    await mine.call('replayOwnDeliveries', { body: { webhook_ids: [one!] } })
    expect(await mine.audit('delivery.replayed')).toMatchObject([{ detail: one }])
  })

  test('200: no event of a partner without a callback URL, or with a disabled endpoint, is replayed', async () => {
    const { partner, receiver, sendTest, untilStatus, replay } = await prepare()
    receiver.setResponse(respondWith(410))
    await untilStatus((await sendTest()).webhook_id, 'DEAD')
    expect(await replay()).toEqual({ replayed: 0, next_cursor: null })
    const path = { partner_code: partner.code }
    await service.operator('setCallback', { path, body: { callback_url: null } })
    expect(await replay()).toEqual({ replayed: 0, next_cursor: null })
  })

  test('429: more than 60 requests of one kind in a minute by the people of a partner', async () => {
    const { replay, call, sendTest, signIn } = await prepare()
    const other = await signIn('admin')
    const body = { status: 'DEAD' as const, limit: 1 }
    expect((await other('replayOwnRange', { body })).status).toBe(200)
    for (let count = 0; count < 59; count++) await replay()
    expect(await replay()).toMatchObject({ error: 'rate_limited' })
    expect(await sendTest()).not.toMatchObject({ error: 'rate_limited' })
    const { status } = await call('listOwnDeliveries')
    expect(status).toBe(200)
  })
})

describe('endpoint', () => {
  test('200: says why and since when it is disabled, and is enabled again', async () => {
    const { receiver, sendTest, untilStatus, call, audit } = await prepare()
    const read = async () => (await call('readEndpoint')).body
    const active = {
      callback_url: receiver.url,
      status: 'ACTIVE',
      disabled_at: null,
      dead_letters: 0,
      previous_secret_until: null,
    }
    expect(await read()).toEqual(active)
    receiver.setResponse(respondWith(500))
    await sendTest()
    await expect.poll(async () => (await read()).status).toBe('FAILING')
    receiver.setResponse(respondWith(410))
    const { webhook_id } = await sendTest()
    await untilStatus(webhook_id, 'DEAD')
    const { body } = await call('readDelivery', { path: { webhook_id } })
    expect(await read()).toMatchObject({ status: 'DISABLED', disabled_at: body.attempts[0]!.attempted_at })
    expect((await call('enableEndpoint')).body).toMatchObject({ ...active, dead_letters: expect.any(Number) })
    expect(await audit('callback.enabled')).toMatchObject([{ actor: expect.stringMatching(/^mbr_/) }])
    receiver.setResponse(respondWith(204))
    await untilStatus((await sendTest()).webhook_id, 'DELIVERED')
    // What is enabled already stays, and writes nothing.
    await call('enableEndpoint')
    expect(await audit('callback.enabled')).toHaveLength(1)
  })

  test('200: a test event of each type is sent and valid', async () => {
    const { receiver, sendTest, audit } = await prepare()
    const types: Schemas['EventType'][] = [
      ...(['accepted', 'declined', 'expired', 'cancelled', 'revoked'] as const).map(
        (end) => `authorization.${end}` as const,
      ),
      ...(['profile.viewed', 'sso.authenticated', 'credential.expiring', 'webhook.test'] as const),
    ]
    for (const type of types) expect((await sendTest(type)).type).toBe(type)
    const received = await untilReceived(receiver, types.length)
    expect(received.map(({ event }) => event.type).toSorted()).toEqual(types.toSorted())
    expect((await audit('callback.tested')).map(({ detail }) => detail).toReversed()).toEqual(types)
  })

  test('422: a partner without a callback URL gets no test event', async () => {
    const partner = await service.partner()
    const call = callWorkbench(service.url, (await service.signIn(partner.code, 'developer')).headers)
    const { status, body } = await call('testOwnCallback', { body: { type: 'webhook.test' } })
    expect([status, body.errors]).toEqual([422, { callback_url: ['is not set for this partner'] }])
    expect((await call('readEndpoint')).body).toMatchObject({ status: 'NOT_SET', callback_url: null })
  })

  test('200: a rotated secret signs beside the previous one until the grace period ends', async () => {
    const { receiver, call, sendTest } = await prepare('admin')
    const rotation = { body: { grace_days: 7 }, headers: { 'Idempotency-Key': randomUUID() } }
    const { body } = await call('rotateOwnWebhookSecret', rotation)
    // After a broken connection, the repetition shows the same secret.
    expect((await call('rotateOwnWebhookSecret', rotation)).body).toEqual(body)
    const other = await call('rotateOwnWebhookSecret', { ...rotation, body: { grace_days: 0 } })
    expect([other.status, other.body.error]).toEqual([422, 'idempotency_key_reused'])
    expect((await call('readEndpoint')).body.previous_secret_until).toBe(body.previous_until)
    await sendTest()
    const [received] = await untilReceived(receiver, 1)
    expect(String(received!.headers['webhook-signature']).split(' ')).toHaveLength(2)
    await call('rotateOwnWebhookSecret', { body: { grace_days: 0 } })
    expect((await call('readEndpoint')).body.previous_secret_until).toBeNull()
  })
})
