import { describe, expect, test } from 'vitest'
import { type StreamEvent, readEvents, take } from '../kit/event-stream-reader.ts'
import { startServiceForFile } from '../kit/test-service.ts'
import type { Citizen } from '../kit/users.ts'

const service = await startServiceForFile()

const open = ({ token }: Citizen, headers: Record<string, string> = {}, accept = 'text/event-stream') =>
  service.send('streamEvents', { headers: { Authorization: `Bearer ${token}`, Accept: accept, ...headers } })
const listen = async (citizen: Citizen, headers?: Record<string, string>) =>
  readEvents(await open(citizen, headers))
const statesOf = (events: StreamEvent[]) => events.map(({ event }) => [event.type, event.data.state])

describe('streamEvents', () => {
  test('200: the stream has an event for a request and each change of a record, at once', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const events = await listen(citizen)
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    await citizen.accept(record.tracking_no)
    await citizen.revoke(record.tracking_no)
    const second = await partner.profiles.requestAuthorization(await citizen.showQr())
    await partner.profiles.cancelAuthorization(second.record.tracking_no)
    const third = await partner.profiles.requestAuthorization(await citizen.showQr())
    await citizen.decline(third.record.tracking_no)
    await partner.profiles.profileByQr(await citizen.showQr('share'))
    const received = await take(events, 8)
    expect(statesOf(received)).toEqual([
      ['authorization.requested', 'PENDING'],
      ['authorization.accepted', 'ACCEPTED'],
      ['authorization.revoked', 'REVOKED'],
      ['authorization.requested', 'PENDING'],
      ['authorization.cancelled', 'CANCELLED'],
      ['authorization.requested', 'PENDING'],
      ['authorization.declined', 'DECLINED'],
      ['profile.viewed', 'VIEWED'],
    ])
    expect(received[0]!.event.data.tracking_no).toBe(record.tracking_no)
    await events.return(undefined)
  })

  test('200: the stream has an event when a request expires', async () => {
    const { citizen } = await service.pending()
    const events = await listen(citizen)
    await service.advance(301)
    let received = statesOf(await take(events, 1))
    // The event of the request may arrive after the stream has opened.
    if (received[0]![0] === 'authorization.requested') received = statesOf(await take(events, 1))
    expect(received).toEqual([['authorization.expired', 'EXPIRED']])
    await events.return(undefined)
  })

  test('200: Last-Event-ID gives exactly the events that were missed while disconnected', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    await partner.profiles.requestAuthorization(await citizen.showQr())
    await service.advance(60)
    const before = await listen(citizen)
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    const [last] = await take(before, 1)
    await before.return(undefined)
    await citizen.accept(record.tracking_no)
    const after = await listen(citizen, { 'Last-Event-ID': last!.id })
    const [missed] = await take(after, 1)
    expect(missed!.event).toMatchObject({
      type: 'authorization.accepted',
      data: { tracking_no: record.tracking_no },
    })
    expect(Number(missed!.id)).toBeGreaterThanOrEqual(Number(last!.id))
    await after.return(undefined)
  })

  test('200: a Last-Event-ID of the future hides no event', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    // A stream without the event ends with the token.
    const token = await service.tokens.citizen(citizen.uniqid, '30s')
    const future = '9'.repeat(14)
    const events = await listen({ ...citizen, token }, { 'Last-Event-ID': future })
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    const [first] = await take(events, 1)
    expect(first!.event.data.tracking_no).toBe(record.tracking_no)
    expect(first!.id).not.toBe(future)
    await events.return(undefined)
  })

  test('200: a current state that is little older than Last-Event-ID is sent again', async () => {
    const { citizen, trackingNo } = await service.pending()
    const { body } = await citizen.app('readAuthorization', { path: { tracking_no: trackingNo } })
    // A stream without the event ends with the token.
    const token = await service.tokens.citizen(citizen.uniqid, '30s')
    const later = String(Date.parse(body.requested_at) + 1)
    const events = await listen({ ...citizen, token }, { 'Last-Event-ID': later })
    const [first] = await take(events, 1)
    expect(first!.event.data).toEqual({ tracking_no: trackingNo, state: 'PENDING' })
    await events.return(undefined)
  })

  test("200: a stream has no events of another citizen's records", async () => {
    const [partner, citizen, other] = [
      await service.partner(),
      await service.citizen(),
      await service.citizen(),
    ]
    const events = await listen(other)
    await partner.profiles.requestAuthorization(await citizen.showQr())
    await partner.profiles.requestAuthorization(await other.showQr())
    const [first] = await take(events, 1)
    const { body } = await other.app('listAuthorizations', { query: {} })
    expect(first!.event.data.tracking_no).toBe(body.authorizations[0]!.tracking_no)
    await events.return(undefined)
  })

  test('200: a stream ends when the token that opened it expires', async () => {
    const { uniqid } = await service.citizen()
    const token = await service.tokens.citizen(uniqid, '2s')
    const response = await service.send('streamEvents', {
      headers: { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' },
    })
    expect(response.status).toBe(200)
    // Without the expiry the test would time out, because a stream lasts 300 s. A heartbeat may come before.
    expect(await response.text()).toMatch(/^retry: 2000\n\n(:\n\n)*$/)
  })

  test('406: a client that accepts JSON only', async () => {
    expect((await open(await service.citizen(), {}, 'application/json')).status).toBe(406)
  })

  test.each(['yesterday', '-1', '1'.repeat(15)])('422: Last-Event-ID is %s', async (id) => {
    expect((await open(await service.citizen(), { 'Last-Event-ID': id })).status).toBe(422)
  })
})
