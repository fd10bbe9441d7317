// A statement about one record locks the partition of its day only, and a request those of the last day. PostgreSQL has room for
// few thousand locks, and locks all partitions, with their indexes, for which it makes a plan.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { answerPending, findPendingProfile } from '../../src/authorizations/answer/answer.sql.ts'
import { cancelPending } from '../../src/authorizations/cancel-authorization/cancel-authorization.sql.ts'
import { findConsent } from '../../src/authorizations/consent.sql.ts'
import { findRecordsOfAllPartners } from '../../src/authorizations/find-authorizations/find-authorizations.sql.ts'
import { findRecordOfPartner } from '../../src/authorizations/list-records/list-records.sql.ts'
import { findRecordOfRetry } from '../../src/authorizations/qr-presentation.sql.ts'
import { findRecord } from '../../src/authorizations/record.sql.ts'
import {
  reapplyRevocation,
  revokeConsent,
} from '../../src/authorizations/revoke-authorization/revoke-authorization.sql.ts'
import { isOnRecentDay } from '../../src/authorizations/tracking-day.sql.ts'
import type { Database } from '../../src/database/connect.ts'
import { timeText } from '../../src/secrets/tokens.ts'
import { startServiceForFile } from '../kit/api-client.ts'
import { disclosingStatements } from '../kit/disclosing-statements.ts'

const { service, api } = await startServiceForFile()
const { repeatable, singleUse, accessNow } = disclosingStatements(service, api)
const origin = { requestId: randomUUID(), traceparent: null }

/** The partitions of records that a transaction has locked after `run`, without those of today and yesterday. */
async function lockedBeside(run: (tx: Database) => Promise<unknown>) {
  const tx = await service.db.startTransaction().execute()
  try {
    await run(tx)
    const { rows } = await sql<{ name: string; is_recent: boolean }>`
      select relname as name, right(relname, 8) in (
               select to_char(clock_now() at time zone 'UTC' - make_interval(days => n), 'YYYYMMDD') from generate_series(0, 1) n
             ) as is_recent
        from pg_locks join pg_class on pg_class.oid = relation
       where pid = pg_backend_pid() and relname ~ '^authorization_record_(\\d{8}|default|untimed)$'`.execute(
      tx,
    )
    expect(rows.filter((row) => row.is_recent)).not.toEqual([])
    return rows.filter((row) => !row.is_recent)
  } finally {
    await tx.rollback().execute()
  }
}

const recording = [...repeatable, ...singleUse].filter(({ scope }) => scope !== 'SSO_AUTHENTICATION')

test.each(recording)('$name', async ({ kind, prepare }) => {
  const [run, access] = [await prepare(), await accessNow(kind)]
  expect(await lockedBeside((tx) => run(tx, access))).toEqual([])
})

test('a condition for numbers of both sides of midnight names three days; none for an earlier number', () => {
  const noon = Date.parse('2030-05-02T12:00Z')
  const numberOf = (time: string) => `${timeText(Date.parse(time) / 1_000)}${'0'.repeat(19)}`
  const rangeOf = (...times: string[]) => {
    const { sql: text } = isOnRecentDay('tracking_no', times.map(numberOf), noon).compile(service.db)
    return text.match(/'[^']+'/g)?.map((each) => each.slice(1, -1)) ?? text
  }
  const days = (from: string, until: string) =>
    [from, until].map((day) => timeText(Date.parse(`2030-05-${day}T00:00Z`) / 1_000))
  expect(rangeOf('2030-05-02T00:00Z', '2030-05-02T23:59:59Z')).toEqual(days('02', '03'))
  expect(rangeOf('2030-05-01T23:59Z')).toEqual(days('01', '02'))
  expect(rangeOf('2030-05-01T23:59Z', '2030-05-03T00:00:01Z')).toEqual(days('01', '04'))
  expect(rangeOf('2030-04-30T23:59:59Z')).toBe('true')
})

type Named = { trackingNo: string; partnerId: number; uniqidHmacs: string[]; qrHmacs: string[] }

const STATEMENTS: Record<string, (tx: Database, named: Named) => Promise<unknown>> = {
  findRecord: (tx, { partnerId, trackingNo }) => findRecord(tx, partnerId, trackingNo, 'UTC'),
  findRecordOfPartner: (tx, { partnerId, trackingNo }) => findRecordOfPartner(tx, partnerId, trackingNo),
  findRecordOfRetry: (tx, { partnerId, qrHmacs }) =>
    findRecordOfRetry(tx, partnerId, qrHmacs, 'PROFILE_INQUIRE', service.config),
  findRecordsOfAllPartners: (tx, { trackingNo }) => findRecordsOfAllPartners(tx, trackingNo),
  findConsent: (tx, { uniqidHmacs, trackingNo }) => findConsent(tx, uniqidHmacs, trackingNo),
  findPendingProfile: (tx, { uniqidHmacs, trackingNo }) => findPendingProfile(tx, uniqidHmacs, trackingNo),
  answerPending: (tx, { uniqidHmacs, trackingNo }) =>
    answerPending(tx, uniqidHmacs, trackingNo, { answer: 'DECLINED' }, origin),
  cancelPending: (tx, { partnerId, trackingNo }) => cancelPending(tx, partnerId, trackingNo, origin),
  revokeConsent: (tx, { uniqidHmacs, trackingNo }) => revokeConsent(tx, uniqidHmacs, trackingNo, origin),
  reapplyRevocation: (tx, { trackingNo }) =>
    reapplyRevocation(tx, api.partner.partner_code, trackingNo, {
      ...origin,
      kind: 'authorization.revoked',
      actor: 'test',
    }),
}

test.each(Object.entries(STATEMENTS))('%s', async (_name, run) => {
  const trackingNo = await api.createPendingRecord()
  const { rows } = await sql<Named>`
    select ${trackingNo} as "trackingNo", r.partner_id as "partnerId",
           array[c.uniqid_hmac] as "uniqidHmacs", array[q.hmac] as "qrHmacs"
      from authorization_record r join citizen c on c.id = r.citizen_id join qr_code q on q.tracking_no = r.tracking_no
     where r.tracking_no = ${trackingNo}`.execute(service.db)
  expect(await lockedBeside((tx) => run(tx, rows[0]!))).toEqual([])
})
