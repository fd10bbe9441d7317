// Every database role that can connect can send notifications with any text on this channel.
import { DefaultQueryExecutor, sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readEvents, take } from '../kit/event-stream-reader.ts'
import { startServiceForFile } from '../kit/test-service.ts'
import type { Citizen } from '../kit/users.ts'

const FLOOD = 300
/** The shortest pause between two reads of one waiting request. */
const PAUSE_MS = 50

const service = await startServiceForFile()

const notify = (payload: string) => sql`select pg_notify('tiwala', ${payload})`.execute(service.db)

const listen = async ({ token }: Citizen, headers: Record<string, string> = {}) =>
  readEvents(
    await service.send('streamEvents', {
      headers: { Authorization: `Bearer ${token}`, Accept: 'text/event-stream', ...headers },
    }),
  )

async function findIds(trackingNo: string): Promise<{ partner_id: number; citizen_id: number }> {
  const { rows } = await sql<{ partner_id: number; citizen_id: number }>`
    select partner_id, citizen_id from authorization_record where tracking_no = ${trackingNo}`.execute(
    service.db,
  )
  return rows[0]!
}

const UNKNOWN = 'ZZZZZZZZZZZZZZZZZZZZZZZZZZ'

test('200: malformed and forged notifications end no process and reach no event stream', async () => {
  const { citizen, trackingNo } = await service.pending()
  const { partner_id, citizen_id } = await findIds(trackingNo)
  const events = await listen(citizen)
  const record = `record ${partner_id} ${citizen_id}`
  const event = {
    type: 'authorization.declined',
    at: new Date().toISOString(),
    tracking_no: trackingNo,
    state: 'DECLINED',
  }
  const malformed = [
    '{',
    '',
    'null',
    '[]',
    '{}',
    '"record"',
    'record',
    'constructor',
    '__proto__',
    'error',
    'x'.repeat(7_999),
    '\u{1F600}',
  ]
  const unknown = [
    '{"__proto__":{"kind":"event"}}',
    ' event',
    'event\n',
    'EVENT',
    'event 1',
    'any record',
    `citizen ${citizen_id}`,
    `${record} ${trackingNo} DECLINED`,
  ]
  const wrongIds = ['-1', '1e3', '1.5', 'NaN', '9'.repeat(400), '', '٣'].map(
    (id) => `record ${partner_id} ${id} ${trackingNo}`,
  )
  const forgedEvent = JSON.stringify({ ...event, partner_id, citizen_id })
  const unchanged = [`${record} ${trackingNo}`, `${record} ${UNKNOWN}`, `partner ${partner_id}`, 'event']
  for (const payload of [...malformed, ...unknown, ...wrongIds, forgedEvent, ...unchanged])
    await notify(payload)
  await citizen.accept(trackingNo)
  const [first] = await take(events, 1)
  expect(first!.event).toMatchObject({
    type: 'authorization.accepted',
    data: { tracking_no: trackingNo, state: 'ACCEPTED' },
  })
  await events.return(undefined)
})

test('200: a change whose notification was lost arrives with the next heartbeat', async () => {
  const { citizen, trackingNo } = await service.pending()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const events = await listen(citizen)
  // Not by a statement of the service, so that no notification follows.
  await sql`
    update authorization_record set state = 'DECLINED', ended_at = clock_now()
     where tracking_no = ${trackingNo}`.execute(service.db)
  const next = take(events, 1)
  vi.advanceTimersByTime(15_000)
  expect((await next)[0]!.event.data).toEqual({ tracking_no: trackingNo, state: 'DECLINED' })
  await events.return(undefined)
})

test('200: a flood of forged notifications ends no wait and causes a bounded number of reads', async () => {
  const { partner, citizen, trackingNo } = await service.pending()
  const { partner_id, citizen_id } = await findIds(trackingNo)
  const waitingBefore = service.waiting()
  const response = partner.profiles.inquire(trackingNo, { waitSeconds: 20 })
  await expect.poll(() => service.waiting(), { interval: 5 }).toBe(waitingBefore + 1)
  const execute = vi.spyOn(DefaultQueryExecutor.prototype, 'executeQuery')
  const readsOfRecord = () =>
    execute.mock.calls.filter(([{ parameters }]) => parameters.flat().includes(trackingNo)).length
  const startedAtMs = performance.now()
  // A notification names the record in its text, which is no parameter that equals the tracking number.
  for (let sent = 0; sent < FLOOD; sent++) {
    await notify(`record ${partner_id} ${citizen_id} ${trackingNo}`)
    await notify(`partner ${partner_id}`)
  }
  // The wait reads again. Without this check a server that ignores every notification would pass.
  await expect.poll(readsOfRecord, { interval: 5 }).toBeGreaterThan(0)
  const [reads, tookMs] = [readsOfRecord(), performance.now() - startedAtMs]
  execute.mockRestore()
  expect(reads).toBeLessThan(2 + tookMs / PAUSE_MS)
  expect(service.waiting()).toBe(waitingBefore + 1)
  await citizen.accept(trackingNo)
  expect((await response).state).toBe('ACCEPTED')
})

test('200: a change that is committed after a later one still arrives, once', async () => {
  const { citizen, partner, trackingNo } = await service.pending()
  const events = await listen(citizen)
  const later = await partner.profiles.requestAuthorization(await citizen.showQr())
  const [first] = await take(events, 1)
  expect(first!.event.data).toEqual({ tracking_no: later.record.tracking_no, state: 'PENDING' })
  await sql`
    update authorization_record set state = 'DECLINED', ended_at = clock_now() - interval '3 s'
     where tracking_no = ${trackingNo}`.execute(service.db)
  const { partner_id, citizen_id } = await findIds(trackingNo)
  await notify(`record ${partner_id} ${citizen_id} ${trackingNo}`)
  const [second] = await take(events, 1)
  expect(second!.event.data).toEqual({ tracking_no: trackingNo, state: 'DECLINED' })
  expect(Number(second!.id)).toBeGreaterThanOrEqual(Number(first!.id))
  await citizen.decline(later.record.tracking_no)
  const [third] = await take(events, 1)
  expect(third!.event.data).toEqual({ tracking_no: later.record.tracking_no, state: 'DECLINED' })
  await events.return(undefined)
})

test.each([
  ['of twenty minutes', 1],
  ['of four days', 300],
])(
  '200: more changes than one read returns all arrive after Last-Event-ID, in their order: %s',
  async (_span, secondsApart) => {
    const MANY = 1_200
    const { citizen, trackingNo } = await service.pending()
    await sql`
    insert into authorization_record
    select (jsonb_populate_record(r, jsonb_build_object(
              'id', r.id + n, 'tracking_no', 'MANY' || lpad(n::text, 22, '0'), 'state', 'CANCELLED',
              'requested_at', r.requested_at - make_interval(secs => n * ${secondsApart}::int),
              'ended_at', r.requested_at - make_interval(secs => n * ${secondsApart}::int)))).*
      from authorization_record r, generate_series(1, ${MANY}::int) n
     where r.tracking_no = ${trackingNo}`.execute(service.db)
    const events = await listen(citizen, { 'Last-Event-ID': '0' })
    const heard = await take(events, 2 * MANY + 1)
    expect(new Set(heard.map(({ event: { data } }) => `${data.tracking_no} ${data.state}`)).size).toBe(
      2 * MANY + 1,
    )
    const timesMs = heard.map(({ event }) => Date.parse(event.timestamp))
    expect(timesMs).toEqual(timesMs.toSorted((a, b) => a - b))
    await events.return(undefined)
  },
)
