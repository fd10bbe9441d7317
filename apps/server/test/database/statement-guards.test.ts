// The statements that several areas share: the deletion of old rows, the counts of the metrics, and the lock
// of the start.
import { describe, expect, test } from 'vitest'
import { deleteEndedRecords, deleteExpiredQrCodes } from '../../src/authorizations/expiry.sql.ts'
import type { Database } from '../../src/database/connect.ts'
import { withStartupLock } from '../../src/database/startup-lock.ts'
import { deleteOldDiagnoses } from '../../src/diagnostics/diagnosis.sql.ts'
import { deleteOldUsage } from '../../src/partners/usage/usage.sql.ts'
import { deleteExpiredCodes } from '../../src/sso/expired-codes.sql.ts'
import { countEvents, readOldestPending } from '../../src/webhooks/count-events.sql.ts'
import { deleteFinished } from '../../src/webhooks/delete-finished.sql.ts'
import { countBlocked } from '../kit/blocked-statements.ts'
import { addCitizen, addPartner, read } from '../kit/rows.ts'
import { openDatabaseForFile } from '../kit/statement-database.ts'
import { rolledBack } from '../kit/stopped-clock.ts'

const database = await openDatabaseForFile()

describe('deleteOldRows deletes what is older than the limit, and nothing else:', () => {
  const record = (id: number, endedAt: string, snapshot: string) =>
    `insert into authorization_record (id, partner_id, citizen_id, tracking_no, scope, state, qr_value,
       requested_at, expires_at, ended_at, snapshot)
     values (${id}, $partner, $citizen, '${id}', 'PROFILE_VIEW', 'VIEWED', '', clock_now(), clock_now(),
             ${endedAt}, ${snapshot})`
  const qrCode = (id: number, expiresAt: string) =>
    `insert into qr_code (hmac, citizen_id, purpose, record_id, tracking_no, expires_at)
     values ('${id}', $citizen, 'share', ${id}, '${id}', ${expiresAt})`
  const code = (hmac: string, expiresAt: string) =>
    `insert into exchange_code (hmac, partner_id, citizen_id, scope, expires_at)
     values ('${hmac}', $partner, $citizen, '', ${expiresAt})`
  const event = (type: string, status: string, occurredAt: string, attemptedAt = occurredAt) =>
    `insert into callback_event (partner_id, type, data, status, occurred_at, last_attempt_at)
     values ($partner, '${type}', '{}', '${status}', ${occurredAt}, ${attemptedAt})`
  const diagnosis = (id: string, occurredAt: string) =>
    `insert into diagnosis values ('${id}', $partner, null, ${occurredAt}, 401, '', '[]')`
  const usage = (days: number) =>
    `insert into partner_usage values ($partner, clock_now()::date - ${days}, 1)`

  const [OLD_HOURS, NEW_HOURS] = [`clock_now() - interval '121 min'`, `clock_now() - interval '119 min'`]
  const [OLD_DAYS, NEW_DAYS] = [`clock_now() - interval '49 hours'`, `clock_now() - interval '47 hours'`]

  test.each([
    {
      what: 'QR codes',
      run: deleteExpiredQrCodes,
      rows: [qrCode(-1, OLD_HOURS), qrCode(-2, NEW_HOURS)],
      left: 'hmac from qr_code where citizen_id = $citizen',
      kept: ['-2'],
    },
    {
      what: 'records without a copy of a profile',
      run: (db: Database, keptDays: number, limit: number) =>
        deleteEndedRecords(db, 'authorization_record_default', keptDays, limit),
      rows: [
        record(-1, OLD_DAYS, 'null'),
        record(-2, NEW_DAYS, 'null'),
        record(-3, OLD_DAYS, `''`),
        record(-4, 'null', 'null'),
      ],
      left: 'tracking_no from authorization_record where partner_id = $partner',
      kept: ['-2', '-3', '-4'],
    },
    {
      what: 'exchange codes',
      run: deleteExpiredCodes,
      rows: [code('old', OLD_HOURS), code('new', NEW_HOURS)],
      left: 'hmac from exchange_code where partner_id = $partner',
      kept: ['new'],
    },
    {
      what: 'events that are delivered or dead',
      run: deleteFinished,
      rows: [
        event('new', 'DELIVERED', NEW_DAYS),
        event('old, delivered', 'DELIVERED', OLD_DAYS),
        event('old, dead', 'DEAD', OLD_DAYS),
        event('old, dead without an attempt', 'DEAD', OLD_DAYS, 'null'),
        event('old, given up a short time ago', 'DEAD', OLD_DAYS, NEW_DAYS),
        event('old, pending', 'PENDING', OLD_DAYS),
      ],
      left: 'type from callback_event where partner_id = $partner',
      kept: ['new', 'old, given up a short time ago', 'old, pending'],
    },
    {
      what: 'counts of days, of which 30 are shown',
      run: deleteOldUsage,
      rows: [usage(0), usage(30), usage(31)],
      left: `(clock_now()::date - day)::text from partner_usage where partner_id = $partner`,
      kept: ['0', '30'],
    },
    {
      what: 'diagnoses',
      run: deleteOldDiagnoses,
      rows: [diagnosis('old', OLD_HOURS), diagnosis('new', NEW_HOURS)],
      left: 'request_id from diagnosis where partner_id = $partner',
      kept: ['new'],
    },
  ])('$what', async ({ run, rows, left, kept }) => {
    await rolledBack(database, async (tx) => {
      const [{ id: partner }, { id: citizen }] = [await addPartner(tx), await addCitizen(tx)]
      const fill = (text: string) =>
        text.replaceAll('$partner', String(partner)).replaceAll('$citizen', String(citizen))
      for (const row of rows) await read(tx, fill(row))
      expect(await run(tx, 2, 1_000)).toBe(rows.length - kept.length)
      const values = await read<{ value: string }>(
        tx,
        `select ${fill(left).replace(' from', ' as value from')}`,
      )
      expect(values.map(({ value }) => value).toSorted()).toEqual(kept.toSorted())
    })
  })

  test('at most as many as the caller says', () =>
    rolledBack(database, async (tx) => {
      const { id: partner } = await addPartner(tx)
      for (const days of [33, 34, 35]) await read(tx, usage(days).replace('$partner', String(partner)))
      expect([await deleteOldUsage(tx, 2, 2), await deleteOldUsage(tx, 2, 2)]).toEqual([2, 1])
    }))
})

describe('the metrics of events', () => {
  const addEvent = (db: Database, partner: number, status: string, ageSeconds: number) =>
    read(
      db,
      `insert into callback_event (partner_id, type, data, status, occurred_at)
       values (${partner}, '', '{}', '${status}', clock_now() - interval '${ageSeconds} s')`,
    )

  test('countForMetric counts the events of a status', () =>
    rolledBack(database, async (tx) => {
      const { id: partner } = await addPartner(tx)
      const count = async () => [await countEvents(tx, 'PENDING'), await countEvents(tx, 'DEAD')]
      const [pending, dead] = (await count()) as [number, number]
      for (const status of ['PENDING', 'PENDING', 'DEAD', 'DELIVERED']) await addEvent(tx, partner, status, 0)
      expect(await count()).toEqual([pending + 2, dead + 1])
    }))

  test('readOldestPending reads the age of the oldest event that is pending', () =>
    rolledBack(database, async (tx) => {
      await read(tx, 'delete from callback_event')
      const { id: partner } = await addPartner(tx)
      expect(await readOldestPending(tx)).toBe(0)
      await addEvent(tx, partner, 'DEAD', 40)
      await addEvent(tx, partner, 'DELIVERED', 40)
      await addEvent(tx, partner, 'PENDING', 30)
      await addEvent(tx, partner, 'PENDING', 20)
      expect(await readOldestPending(tx)).toBe(30)
    }))
})

test('withStartupLock: the second start waits until the first has ended', async () => {
  const steps: string[] = []
  const [isStarted, canEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = withStartupLock(database, async () => {
    isStarted.resolve()
    await canEnd.promise
    steps.push('first ends')
  })
  await isStarted.promise
  const second = withStartupLock(database, async () => void steps.push('second starts'))
  await expect.poll(async () => (await countBlocked(database)) + steps.length).toBeGreaterThan(0)
  canEnd.resolve()
  await Promise.all([first, second])
  expect(steps).toEqual(['first ends', 'second starts'])
})
