// The statements of administrators and of the sandbox on the events of one partner.
import { describe, expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { findDeliveries } from '../../src/webhooks/list-deliveries/list-deliveries.sql.ts'
import { restartDeliveries } from '../../src/webhooks/replay-delivery/replay-delivery.sql.ts'
import { insertTestEvent } from '../../src/webhooks/test-callback/test-callback.sql.ts'
import { findRotation, REPLAYED } from '../../src/webhooks/webhook-secret.sql.ts'
import { addPartner, read } from '../kit/rows.ts'
import { openDatabaseForFile } from '../kit/statement-database.ts'
import { rolledBack } from '../kit/stopped-clock.ts'

const database = await openDatabaseForFile()

const action = { kind: 'delivery.changed', actor: 'admin', requestId: 'request' }
const sample = { type: 'profile.viewed', data: {} } as const
const CODES = ['FIRST', 'SECOND'] as const

/** Two partners with a callback URL, and one without. */
async function addPartners(db: Database): Promise<{ FIRST: number; SECOND: number; SILENT: number }> {
  const add = async (partner_code: string, callback_url: string | null) =>
    (await addPartner(db, { partner_code, callback_url })).id
  return {
    FIRST: await add('FIRST', 'https://partner.example'),
    SECOND: await add('SECOND', 'https://partner.example'),
    SILENT: await add('SILENT', null),
  }
}
const readAudit = (db: Database) => read(db, 'select partner_id, kind from audit_event order by id')
const readEvents = (db: Database) => read(db, 'select partner_id, type from callback_event order by id')

test('findDeliveries finds the events of a partner, of a status and of a page, the newest first', () =>
  rolledBack(database, async (tx) => {
    const partners = await addPartners(tx)
    const ids: number[] = []
    for (const [code, status] of [
      ['FIRST', 'DEAD'],
      ['SECOND', 'DEAD'],
      ['FIRST', 'DELIVERED'],
    ] as const) {
      const [event] = await read<{ id: number }>(
        tx,
        `insert into callback_event (webhook_id, partner_id, type, data, status)
         values ('${code} ${status}', ${partners[code]}, '', '{}', '${status}') returning id`,
      )
      ids.push(event!.id)
    }
    const none = { partnerCode: undefined, status: undefined, after: undefined, limit: 10 }
    const find = async (filter: object) =>
      (await findDeliveries(tx, { ...none, ...filter })).map(
        ({ webhook_id, partner_code }) => `${webhook_id} of ${partner_code}`,
      )
    const [oldest, middle, newest] = [
      'FIRST DEAD of FIRST',
      'SECOND DEAD of SECOND',
      'FIRST DELIVERED of FIRST',
    ]
    expect(await find({})).toEqual([newest, middle, oldest])
    expect(await find({ partnerCode: 'FIRST' })).toEqual([newest, oldest])
    expect(await find({ status: 'DEAD' })).toEqual([middle, oldest])
    expect(await find({ after: ids[1] })).toEqual([oldest])
    expect(await find({ limit: 1 })).toEqual([newest])
  }))

test('restartDeliveries restarts the named event, and names and audits its partner', () =>
  rolledBack(database, async (tx) => {
    const partners = await addPartners(tx)
    for (const code of CODES)
      await read(
        tx,
        `insert into callback_event (webhook_id, partner_id, type, data, status, attempts, claimed_until)
         values ('${code}', ${partners[code]}, '', '{}', 'DEAD', 3, 'infinity')`,
      )
    for (const code of CODES) {
      const restarted = { webhook_id: code, partner_code: code, status: 'PENDING', attempts: 0 }
      expect(await restartDeliveries(tx, [code, 'UNKNOWN'], undefined, action)).toMatchObject([restarted])
      for (const unchanged of [`status = 'DEAD'`, 'claimed_until is not null'])
        expect(await read(tx, `select webhook_id from callback_event where ${unchanged}`)).toEqual(
          code === 'FIRST' ? [{ webhook_id: 'SECOND' }] : [],
        )
    }
    expect(await restartDeliveries(tx, ['FIRST', 'UNKNOWN'], partners.SECOND, action)).toEqual([])
    expect(await readAudit(tx)).toEqual(
      CODES.map((code) => ({ partner_id: partners[code], kind: 'deliveries.replayed' })),
    )
  }))

test('insertTestEvent inserts and audits an event of the partner, if it has a callback URL', () =>
  rolledBack(database, async (tx) => {
    const partners = await addPartners(tx)
    for (const code of CODES)
      expect(await insertTestEvent(tx, code, sample, null, action)).toMatchObject({
        delivery: { partner_code: code, type: 'profile.viewed' },
      })
    expect(await insertTestEvent(tx, 'SILENT', sample, null, action)).toEqual({ delivery: undefined })
    expect(await insertTestEvent(tx, 'UNKNOWN', sample, null, action)).toBeUndefined()
    expect(await readEvents(tx)).toEqual(
      CODES.map((code) => ({ partner_id: partners[code], type: 'profile.viewed' })),
    )
    expect(await readAudit(tx)).toEqual(
      CODES.map((code) => ({ partner_id: partners[code], kind: action.kind })),
    )
  }))

describe('findRotation finds a rotation of the partner from the time on', () => {
  const AT = new Date('2000-01-01T00:00:00.123Z')
  test.each([
    { what: 'none', event: undefined, rotation: { is_rotated: false, has_secret: false } },
    { what: 'one at the time', event: {}, rotation: { is_rotated: true, has_secret: true } },
    { what: 'one before it', event: { ms: -1 }, rotation: { is_rotated: false, has_secret: false } },
    {
      what: 'another change',
      event: { kind: 'partner.changed' },
      rotation: { is_rotated: false, has_secret: false },
    },
    {
      what: 'one of another partner',
      event: { code: 'SECOND' as const },
      rotation: { is_rotated: false, has_secret: false },
    },
    {
      what: 'one that gave no secret',
      event: { detail: REPLAYED },
      rotation: { is_rotated: true, has_secret: false },
    },
  ])('$what', async ({ event, rotation }) => {
    await rolledBack(database, async (tx) => {
      const partners = await addPartners(tx)
      if (event) {
        const { code = 'FIRST', kind = 'webhook_secret.rotated', ms = 0, detail = '' } = event
        await read(
          tx,
          `insert into audit_event (partner_id, kind, occurred_at, request_id, detail)
           values (${partners[code]}, '${kind}',
                   '${AT.toISOString()}'::timestamptz + interval '${ms} ms', '', '${detail}')`,
        )
      }
      expect(await findRotation(tx, 'FIRST', AT)).toEqual(rotation)
    })
  })
})
