// The log of requests in the database: whose request it is, its partitions, and their end.
import { expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import {
  deleteUndatedRequests,
  dropRequestPartition,
  makeRequestPartitions,
} from '../../src/requests/partitions.sql.ts'
import {
  EVERY_STATUS,
  findRequest,
  findRequests,
  insertRequests,
  type RequestFilter,
} from '../../src/requests/requests.sql.ts'
import { NEW_REQUEST } from '../kit/new-request.ts'
import { addParties, read } from '../kit/rows.ts'
import { openDatabaseForFile } from '../kit/statement-database.ts'
import { rolledBack, stopClockAt } from '../kit/stopped-clock.ts'

const database = await openDatabaseForFile()

const EVERYTHING = {
  since: undefined,
  until: undefined,
  operation: undefined,
  statuses: EVERY_STATUS,
  error: undefined,
}

test('a request is found by the id, the secret code or the partner code of its partner, by no other partner', () =>
  rolledBack(database, async (tx) => {
    const { partner, otherPartner } = await addParties(tx)
    const { id: partner_id, secret_code, partner_code } = partner
    const named = [{ partner_id }, { secret_code }, { partner_code }, { partner_code: 'unknown' }]
    await insertRequests(
      tx,
      named.map((name, index) => ({ ...NEW_REQUEST, ...name, request_id: `req_${index}` })),
    )
    const idsOf = async (id: number) =>
      (await findRequests(tx, id, EVERYTHING, undefined, 10)).map(({ request_id }) => request_id)
    expect([await idsOf(partner.id), await idsOf(otherPartner.id)]).toEqual([['req_2', 'req_1', 'req_0'], []])
    expect([
      (await findRequest(tx, partner.id, 'req_0'))?.operation,
      await findRequest(tx, otherPartner.id, 'req_0'),
    ]).toEqual(['inquire', undefined])
  }))

type Other = { status: number; error: string | null }
const OUTAGE = { status: 503, error: 'unavailable' }
const NO_ERROR = { status: 200, error: null }
test.each<[string, Partial<RequestFilter>, number, Other?]>([
  ['an error', { error: 'qr_value_invalid' }, 1],
  ['an operation that was refused', { operation: 'authenticate', statuses: [400, 499] }, 1],
  ['a status', { statuses: [422, 422] }, 1],
  ['failures', { statuses: [500, 599] }, 1],
  ['refusals', { statuses: [400, 499] }, 2, OUTAGE],
  ['an operation', { operation: 'inquire' }, 10],
  ['successes', { statuses: [200, 299] }, 1],
  ['success of an operation', { operation: 'inquire', statuses: [200, 200] }, 1],
  ['an error of another status', { error: 'credentials_invalid', statuses: [404, 404] }, 0],
  ['a status that no operation has', { statuses: [204, 204] }, 0, NO_ERROR],
  ['a class that no operation has', { statuses: [300, 399] }, 0, NO_ERROR],
])('a page of requests with %s does not read the others', (_what, filter, count, other) =>
  rolledBack(database, async (tx) => {
    const { partner } = await addParties(tx)
    const refused = { ...NEW_REQUEST, partner_id: partner.id, status: 401, error: 'credentials_invalid' }
    const others = Array.from({ length: 2_000 }, (_, index) => ({
      ...refused,
      ...other,
      request_id: `req_${index}`,
    }))
    const found = [
      { ...refused, request_id: 'req_a', status: 422, error: 'qr_value_invalid' },
      { ...refused, request_id: 'req_b', operation: 'authenticate' },
      { ...refused, request_id: 'req_c', status: 500, error: 'internal_error' },
      { ...NEW_REQUEST, request_id: 'req_d', partner_id: partner.id },
    ]
    await insertRequests(tx, [...others, ...found])
    const readRows = async () =>
      (
        await read<{ rows: number }>(
          tx,
          `select sum(idx_tup_fetch + seq_tup_read)::int as rows from pg_stat_xact_user_tables
            where relname like 'partner_request%'`,
        )
      )[0]!.rows
    const before = await readRows()
    expect(await findRequests(tx, partner.id, { ...EVERYTHING, ...filter }, undefined, 10)).toHaveLength(
      count,
    )
    expect((await readRows()) - before).toBeLessThan(50)
  }),
)

test('a request whose client went away is a refused one, also of an operation', () =>
  rolledBack(database, async (tx) => {
    const { partner } = await addParties(tx)
    await insertRequests(tx, [
      { ...NEW_REQUEST, partner_id: partner.id, operation: 'authenticate', status: 499 },
    ])
    for (const operation of [undefined, 'authenticate'] as const) {
      const filter = { ...EVERYTHING, operation, statuses: [400, 499] as const }
      expect(await findRequests(tx, partner.id, filter, undefined, 10)).toHaveLength(1)
    }
  }))

const stopAt = (tx: Database, time: string) => read(tx, stopClockAt(`'${time}'::timestamptz`))
const partitions = (tx: Database) =>
  read<{ name: string }>(
    tx,
    `select inhrelid::regclass::text as name from pg_inherits
      where inhparent = 'partner_request'::regclass and inhrelid::regclass::text ~ '_2031[0-9]{4}$' order by 1`,
  )

test('eight partitions from today on; after the retention, the oldest ends with its rows', () =>
  rolledBack(database, async (tx) => {
    const { partner } = await addParties(tx)
    // The partitions of the present days end first.
    await stopAt(tx, '2031-05-06T12:00:00Z')
    while (await dropRequestPartition(tx, 30));
    await makeRequestPartitions(tx)
    await makeRequestPartitions(tx)
    expect((await partitions(tx)).length).toBe(8)
    await insertRequests(tx, [{ ...NEW_REQUEST, partner_id: partner.id }])
    expect(await read(tx, 'select from only partner_request_default')).toEqual([])
    await stopAt(tx, '2031-06-05T23:59:59Z')
    expect(await dropRequestPartition(tx, 30)).toBe(false)
    await stopAt(tx, '2031-06-06T00:00:00Z')
    expect([await dropRequestPartition(tx, 30), await dropRequestPartition(tx, 30)]).toEqual([true, false])
    expect(await read(tx, 'select from partner_request')).toEqual([])
  }))

test('a day without a partition keeps its rows in the default one, and gets none later', () =>
  rolledBack(database, async (tx) => {
    const { partner } = await addParties(tx)
    await stopAt(tx, '2031-05-06T12:00:00Z')
    await insertRequests(tx, [{ ...NEW_REQUEST, partner_id: partner.id }])
    expect((await read(tx, 'select from partner_request_default')).length).toBe(1)
    await makeRequestPartitions(tx)
    expect((await partitions(tx)).map(({ name }) => name)[0]).toBe('partner_request_20310507')
    await stopAt(tx, '2031-06-05T12:00:00Z')
    expect(await deleteUndatedRequests(tx, 30, 10)).toBe(0)
    await stopAt(tx, '2031-06-05T12:00:01Z')
    expect(await deleteUndatedRequests(tx, 30, 10)).toBe(1)
  }))
