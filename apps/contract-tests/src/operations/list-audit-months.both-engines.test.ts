import { advanceMonths } from '@tiwala/server/testing-months'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { untilSealed } from '../kit/audit.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile({})
const { operator, db } = service
const read = async () => (await operator('listAuditMonths', {})).body.months

/** The name of the present month, as the database has it. */
async function presentMonth(): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select to_char(clock_now() at time zone 'UTC', 'YYYYMM') as name`.execute(db)
  return rows[0]!.name
}

const latest = async () => (await operator('listAuditKeys', {})).body.latest_checkpoint!
const positionsOf = async (checkpoint: number) =>
  (await operator('readCheckpoint', { path: { checkpoint } })).body
/** The service reads the partition meanwhile, so the statement may have to try again, as the command does. */
const archive = (name: string, first: number, last: number) =>
  vi.waitFor(
    () =>
      sql`
        select end_audit_partition(${name}::text, ${first}::bigint, ${last}::bigint, 'hash'::text, 'local:test'::text,
                                   'req_test'::text)`.execute(db),
    60_000,
  )

test('200: a month is open, then closed, then archived, with its events and checkpoints', async () => {
  // The partition of the past is empty.
  expect((await read()).map(({ name }) => name)).toEqual([await presentMonth()])
  // As an earlier version of the service left it.
  await sql`insert into audit_event (id, kind, request_id) values (1, 'partner.created', 'req_past')`.execute(
    db,
  )
  await untilSealed(operator)
  const lastOfPast = await latest()
  await service.partner()
  await untilSealed(operator)
  const last = await latest()
  const events = (await positionsOf(last)).last_position - (await positionsOf(lastOfPast)).last_position
  expect(events).toBeGreaterThan(0)

  const name = await presentMonth()
  const month = `${name.slice(0, 4)}-${name.slice(4)}`
  const notArchived = { first_checkpoint: null, last_checkpoint: null, archived_at: null }
  expect(await read()).toMatchObject([
    { name, status: 'OPEN', month, ...notArchived },
    { name: 'past', status: 'OPEN', month: null, ...notArchived },
  ])

  await advanceMonths(service, 1)
  await sql`analyze ${sql.table(`audit_event_${name}`)}`.execute(db)
  const [present, closed, past] = await read()
  expect(present).toMatchObject({ name: await presentMonth(), status: 'OPEN' })
  expect(closed).toMatchObject({ name, status: 'CLOSED', month, events, ...notArchived })
  expect(closed!.bytes).toBeGreaterThan(8192)
  expect(past).toMatchObject({ name: 'past', status: 'CLOSED', month })

  await archive('past', 1, lastOfPast)
  await archive(name, lastOfPast + 1, last)
  const [, archived, ...others] = await read()
  expect(archived).toEqual({
    name,
    status: 'ARCHIVED',
    month,
    events,
    bytes: null,
    first_checkpoint: lastOfPast + 1,
    last_checkpoint: last,
    archived_at: expect.any(String) as string,
  })
  // By the clock of the database, which is in the next month.
  expect(archived!.archived_at!.slice(0, 7) > month).toBe(true)
  expect(others).toMatchObject([
    {
      name: 'past',
      status: 'ARCHIVED',
      month: null,
      events: 1,
      first_checkpoint: 1,
      last_checkpoint: lastOfPast,
    },
  ])
})
