import type { Schemas } from '@tiwala/contract'
import type { Bootstrap } from '@tiwala/server/sandbox-bootstrap'
import { describe, expect, test } from 'vitest'
import { json } from '../kit/body-forms.ts'
import { readEvents, take } from '../kit/event-stream-reader.ts'
import { createClients } from '../kit/sandbox-bootstrap.ts'
import { createSandbox } from '../kit/sandbox.ts'
import { startServiceForFile, startTestService } from '../kit/test-service.ts'

const service = await startServiceForFile()

describe('the clock of the default sandbox', () => {
  const moveClock = (body: string, type = 'application/json') =>
    fetch(`${service.url}/sandbox/clock`, { method: 'POST', headers: { 'Content-Type': type }, body })

  test('200: the clock of one sandbox moves, so that its request expires without waiting', async () => {
    const bootstrap = (await (await fetch(`${service.url}/sandbox/bootstrap.json`)).json()) as Bootstrap
    const { profiles, showQr } = createClients(bootstrap)
    const own = await createSandbox(service.url)
    const [mine, other] = [
      await profiles.requestAuthorization(await showQr(bootstrap.citizens[0]!.token, 'inquire')),
      await own.profiles.requestAuthorization(await own.showQr(own.manual.token, 'inquire')),
    ]
    expect([mine.state, other.state]).toEqual(['PENDING', 'PENDING'])
    expect((await moveClock('{"advance_seconds":301}')).status).toBe(200)
    expect((await profiles.inquire(mine.record.tracking_no)).state).toBe('EXPIRED')
    // The clock of another sandbox is another one.
    expect((await own.profiles.inquire(other.record.tracking_no)).state).toBe('PENDING')
  })

  test.each([
    '{"advance_seconds":-1}',
    '{"advance_seconds":0}',
    '{"advance_seconds":0.5}',
    '{"advance_seconds":"1"}',
    '{"advance_seconds":1e12}',
    '{}',
    'null',
    '[]',
  ])('422: the clock cannot be moved by %s', async (body) => {
    const response = await moveClock(body)
    expect([response.status, await response.json()]).toEqual([
      422,
      expect.objectContaining({ error: 'validation_failed' }),
    ])
  })

  test('422: all moves together are at most 400 days, after which the sandbox still works', async () => {
    const own = await startTestService({})
    type Moved = { status: number; body: Partial<Schemas['Error']> }
    const move = async (days: number): Promise<Moved> => {
      const response = await fetch(`${own.url}/sandbox/clock`, {
        method: 'POST',
        ...json({ advance_seconds: days * 86_400 }),
      })
      const body = (await response.json()) as Partial<Schemas['Error']>
      // On a slow machine, it can wait too long for the lock of another move.
      return response.status === 503 ? move(days) : { status: response.status, body }
    }
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => move(250)))).map(
      ({ status }) => status,
    )
    expect([
      statuses.filter((status) => status === 200).length,
      statuses.filter((status) => status === 422).length,
    ]).toEqual([1, 7])
    const { errors } = (await move(151)).body
    expect(errors!['advance_seconds']).toEqual([expect.stringContaining(`at most ${150 * 86_400}`)])
    expect([(await move(150)).status, (await move(1 / 86_400)).body]).toEqual([
      200,
      expect.objectContaining({
        error: 'validation_failed',
        errors: { advance_seconds: [expect.stringContaining('0 are left')] },
      }),
    ])
    const bootstrap = (await (await fetch(`${own.url}/sandbox/bootstrap.json`)).json()) as Bootstrap
    const { profiles, showQr } = createClients(bootstrap)
    expect(
      (await profiles.requestAuthorization(await showQr(bootstrap.citizens[0]!.token, 'inquire'))).state,
    ).toBe('PENDING')
    await own.close()
  })

  test('400: a malformed body; 415: a body that is neither JSON nor a form', async () => {
    expect((await moveClock('{')).status).toBe(400)
    expect((await moveClock('1', 'text/plain')).status).toBe(415)
  })
})

test('200: a dispute stays later than the disclosure when the clock moves', async () => {
  const own = await createSandbox(service.url)
  const { requestId } = await own.profiles.profileByQr(await own.showQr(own.manual.token, 'share'))
  const app = own.app(own.manual.token)
  const { body } = await app('disputeDisclosure', { path: { disclosure_id: requestId } })
  expect(Date.parse(body.disputed_at!)).toBeGreaterThanOrEqual(Date.parse(body.disclosed_at))
  expect((await own.advance(86_400)).status).toBe(200)
  expect((await app('listDisclosures', {})).body.disclosures).toEqual([body])
})

test('200: the event stream of a citizen loses no event when the clock moves', async () => {
  const own = await createSandbox(service.url)
  const listen = async (id?: string) =>
    readEvents(
      await service.send('streamEvents', {
        headers: {
          Authorization: `Bearer ${own.manual.token}`,
          Accept: 'text/event-stream',
          ...(id && { 'Last-Event-ID': id }),
        },
      }),
    )
  const request = async () =>
    (await own.profiles.requestAuthorization(await own.showQr(own.manual.token, 'inquire'))).record
      .tracking_no
  const open = await listen()
  const first = await request()
  expect((await own.advance(301)).status).toBe(200)
  const [requested, expired] = await take(open, 2)
  expect([requested!, expired!].map(({ event }) => event.data)).toEqual([
    { tracking_no: first, state: 'PENDING' },
    { tracking_no: first, state: 'EXPIRED' },
  ])
  await open.return(undefined)
  const second = await request()
  expect((await own.advance(86_400)).status).toBe(200)
  const third = await request()
  const again = await listen(requested!.id)
  expect((await take(again, 4)).map(({ event }) => event.data)).toEqual([
    { tracking_no: first, state: 'EXPIRED' },
    { tracking_no: second, state: 'PENDING' },
    { tracking_no: second, state: 'EXPIRED' },
    { tracking_no: third, state: 'PENDING' },
  ])
  await again.return(undefined)
})
