// Rows that housekeeping deletes: each one at its end, and none a second before.
import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import { deleteOldAnomalies } from '../../src/anomalies/anomaly.sql.ts'
import { deleteOldApprovals } from '../../src/approvals/approval.sql.ts'
import type { Database } from '../../src/database/connect.ts'
import { deleteExpiredResponses } from '../../src/idempotency/response.sql.ts'
import { deleteEndedSessions } from '../../src/members/session.sql.ts'
import { deleteEndedOperatorSessions } from '../../src/operators/session.sql.ts'
import { deleteExpiredSignIns, deleteUnopenedSignIns } from '../../src/sign-ins/sign-in.sql.ts'
import { deleteExpiredState } from '../../src/sign-ins/state.sql.ts'
import { deleteOldUse } from '../../src/use/use.sql.ts'
import { add, addCitizen, addPartner, NOW, type Row, secondsFromNow, type Values } from '../kit/rows.ts'
import { openDatabaseForFile } from '../kit/statement-database.ts'
import { rolledBack } from '../kit/stopped-clock.ts'

const database = await openDatabaseForFile()

const DAY = 86_400
const KEPT_DAYS = 90
const IDLE_MINUTES = 15
/** A batch has room for all. */
const LIMIT = 10
const today = (days: number): RawBuilder<unknown> =>
  sql`(${NOW} at time zone 'UTC')::date - ${sql.lit(days)}::int`

type Case = {
  run: (tx: Database) => Promise<number>
  add: (tx: Database, partner: Row, values: Values) => Promise<unknown>
  stays: Values[]
  ends: Values[]
}

const addApproval: Case['add'] = (tx, partner, values) =>
  add(tx, 'approval', {
    approval_id: randomUUID(),
    kind: 'suspension',
    partner_id: partner.id,
    requested_by: 'administrator',
    requested_at: secondsFromNow(-200 * DAY),
    change: '{}',
    previous: '{}',
    ...values,
  })

const addAnomaly: Case['add'] = async (tx, { id: _shared }, values) =>
  add(tx, 'anomaly', {
    anomaly_id: randomUUID(),
    // A partner has one open anomaly of a kind.
    partner_id: (await addPartner(tx)).id,
    kind: 'rate',
    began_at: secondsFromNow(-200 * DAY),
    expected: 1,
    threshold: 2,
    observed: 2,
    address_ranges: [],
    ...values,
  })

const addUse: Case['add'] = (tx, partner, values) =>
  add(tx, 'partner_use', {
    partner_id: partner.id,
    kind: 'client',
    name: randomUUID(),
    first_used_on: today(1_000),
    ...values,
  })

const addState: Case['add'] = (tx, _partner, values) =>
  add(tx, 'oidc_state', { model: 'Session', id_hmac: randomUUID(), content: '', ...values })

const addResponse: Case['add'] = (tx, _partner, values) =>
  add(tx, 'idempotent_response', { key_hmac: randomUUID(), request_hash: '', content: '', ...values })

const addSignIn: Case['add'] = async (tx, partner, { isOpened, ...values }) =>
  add(tx, 'sign_in_request', {
    citizen_id: isOpened ? (await addCitizen(tx)).id : null,
    id: randomUUID(),
    partner_id: partner.id,
    interaction_uid: randomUUID(),
    browser_hmac: randomUUID(),
    purpose: 'login',
    items: [],
    optional_items: [],
    comparison: '',
    requested_at: secondsFromNow(-200 * DAY),
    ...values,
  })

const addMemberSession: Case['add'] = async (tx, partner, values) => {
  const member = { member_id: randomUUID(), partner_id: partner.id, email: randomUUID(), role: 'viewer' }
  const { id } = await add<Row>(tx, 'member', member)
  return add(tx, 'member_session', { hmac: randomUUID(), member_id: id, ...values })
}

const addOperatorSession: Case['add'] = (tx, _partner, values) =>
  add(tx, 'operator_session', {
    hmac: randomUUID(),
    session_id: randomUUID(),
    subject: 'administrator',
    scopes: '',
    ...values,
  })

/** A session ends by its time, or without a request for some minutes. */
const SESSIONS = {
  stays: [{ expires_at: secondsFromNow(1), used_at: secondsFromNow(-IDLE_MINUTES * 60 + 1) }],
  ends: [
    { expires_at: NOW, used_at: NOW },
    { expires_at: secondsFromNow(60), used_at: secondsFromNow(-IDLE_MINUTES * 60) },
  ],
}
/** Around the end of what is kept for so many seconds. */
const around = (column: string, seconds: number) => ({
  stays: [{ [column]: secondsFromNow(-seconds) }],
  ends: [{ [column]: secondsFromNow(-seconds - 1) }],
})

const CASES: Record<string, Case> = {
  approval: {
    run: (tx) => deleteOldApprovals(tx, KEPT_DAYS, LIMIT),
    add: addApproval,
    ...around('expires_at', KEPT_DAYS * DAY),
  },
  anomaly: {
    run: (tx) => deleteOldAnomalies(tx, KEPT_DAYS, LIMIT),
    add: addAnomaly,
    stays: [{ ended_at: null }, { ended_at: secondsFromNow(-KEPT_DAYS * DAY) }],
    ends: [{ ended_at: secondsFromNow(-KEPT_DAYS * DAY - 1) }],
  },
  partner_use: {
    run: (tx) => deleteOldUse(tx, LIMIT),
    add: addUse,
    stays: [{ last_used_on: today(365) }],
    ends: [{ last_used_on: today(366) }],
  },
  oidc_state: { run: (tx) => deleteExpiredState(tx, LIMIT), add: addState, ...around('expires_at', 600) },
  sign_in_request: {
    run: async (tx) => (await deleteExpiredSignIns(tx, 24, LIMIT)) + (await deleteUnopenedSignIns(tx, LIMIT)),
    add: addSignIn,
    stays: [
      { expires_at: secondsFromNow(-DAY), isOpened: true },
      { expires_at: secondsFromNow(-900), isOpened: false },
    ],
    ends: [
      { expires_at: secondsFromNow(-DAY - 1), isOpened: true },
      { expires_at: secondsFromNow(-901), isOpened: false },
    ],
  },
  idempotent_response: {
    run: (tx) => deleteExpiredResponses(tx, LIMIT),
    add: addResponse,
    ...around('expires_at', 0),
  },
  member_session: {
    run: (tx) => deleteEndedSessions(tx, IDLE_MINUTES, LIMIT),
    add: addMemberSession,
    ...SESSIONS,
  },
  operator_session: {
    run: (tx) => deleteEndedOperatorSessions(tx, IDLE_MINUTES, LIMIT),
    add: addOperatorSession,
    ...SESSIONS,
  },
}

test.each(Object.entries(CASES))('%s', (table, { run, add: addOne, stays, ends }) =>
  rolledBack(database, async (tx) => {
    const partner = await addPartner(tx)
    const count = async () => (await sql`select from ${sql.table(table)}`.execute(tx)).rows.length
    for (const values of stays) await addOne(tx, partner, values)
    expect([await run(tx), await count()]).toEqual([0, stays.length])
    for (const values of ends) await addOne(tx, partner, values)
    expect([await run(tx), await count()]).toEqual([ends.length, stays.length])
  }),
)

const MANY = 300

test.each(['oidc_state', 'sign_in_request', 'idempotent_response', 'approval'])(
  '%s: reads none of the rows that stay',
  (table) =>
    rolledBack(database, async (tx) => {
      const { run, add: addOne, stays } = CASES[table]!
      const partner = await addPartner(tx)
      for (let count = 0; count < MANY; count++) await addOne(tx, partner, stays[count % stays.length]!)
      const countRead = async () => {
        const { rows } = await sql<{ read: number }>`
          select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables
           where relname = ${table}`.execute(tx)
        return rows[0]!.read
      }
      const before = await countRead()
      expect(await run(tx)).toBe(0)
      expect((await countRead()) - before).toBeLessThan(MANY / 10)
    }),
)
