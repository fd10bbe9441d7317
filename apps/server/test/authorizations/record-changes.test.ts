// The statements that change authorization records change those that they name, write the audit, and tell the
// partners that have a callback URL.
import { describe, expect, test } from 'vitest'
import { answerPending } from '../../src/authorizations/answer/answer.sql.ts'
import { cancelPending } from '../../src/authorizations/cancel-authorization/cancel-authorization.sql.ts'
import { writeDisclosure } from '../../src/authorizations/disclosure-commit.sql.ts'
import { eraseSnapshots, expirePending } from '../../src/authorizations/expiry.sql.ts'
import { insertQrCode } from '../../src/authorizations/issue-qr-code/issue-qr-code.sql.ts'
import { revokeConsent } from '../../src/authorizations/revoke-authorization/revoke-authorization.sql.ts'
import type { Database } from '../../src/database/connect.ts'
import { startServiceForFile } from '../kit/api-client.ts'
import { DROP_AUDIT_ROWS } from '../kit/dropped-audit.ts'
import {
  ACCEPTED,
  type CitizenRow,
  ENDING,
  addCitizen,
  addCredential,
  addParties,
  addPartner,
  addRecord,
  NOW,
  read,
  type RecordRow,
  secondsFromNow,
  type Values,
} from '../kit/rows.ts'
import { rolledBack } from '../kit/stopped-clock.ts'

const { service } = await startServiceForFile()

const ORIGIN = { requestId: 'test', traceparent: null }
const WITH_URL = { callback_url: 'https://partner.example/events' }
const ACCEPT = { answer: 'ACCEPTED', profile: 'profile', snapshot: 'copy', resultTtlSeconds: 60 } as const
const NOT_AUDITED = 'the audit took 0 of 1 rows'

const stateOf = async (tx: Database, { id }: RecordRow) =>
  (await read<{ state: string }>(tx, `select state from authorization_record where id = ${id}`))[0]?.state

/** The audited events of a record, and the events for its partner. */
const eventsOf = async (tx: Database, { tracking_no, partner_id }: RecordRow) =>
  (
    await read<{ kinds: string[]; types: string[] }>(
      tx,
      `select array(select kind from audit_event where tracking_no = '${tracking_no}') as kinds,
              array(select type from callback_event
                     where partner_id = ${partner_id} and data->>'tracking_no' = '${tracking_no}') as types`,
    )
  )[0]!

const CHANGES = [
  {
    name: 'answerPending',
    type: 'authorization.accepted',
    state: 'ACCEPTED',
    values: {},
    run: (tx: Database, { uniqid_hmac }: CitizenRow, { tracking_no }: RecordRow) =>
      answerPending(tx, [uniqid_hmac], tracking_no, ACCEPT, ORIGIN),
  },
  {
    name: 'cancelPending',
    type: 'authorization.cancelled',
    state: 'CANCELLED',
    values: {},
    run: (tx: Database, _: CitizenRow, { partner_id, tracking_no }: RecordRow) =>
      cancelPending(tx, partner_id, tracking_no, ORIGIN),
  },
  {
    name: 'revokeConsent',
    type: 'authorization.revoked',
    state: 'REVOKED',
    values: ACCEPTED,
    run: (tx: Database, { uniqid_hmac }: CitizenRow, { tracking_no }: RecordRow) =>
      revokeConsent(tx, [uniqid_hmac], tracking_no, ORIGIN),
  },
  {
    name: 'expirePending',
    type: 'authorization.expired',
    state: 'EXPIRED',
    values: ENDING,
    run: (tx: Database) => expirePending(tx, 1),
  },
]

describe.each(CHANGES)('$name', ({ type, state, values, run }) => {
  test.each([
    { what: 'with a callback URL, makes one event', partnerValues: WITH_URL, types: [type] },
    { what: 'without a callback URL, makes none', partnerValues: {}, types: [] },
  ])('$what', ({ partnerValues, types }) =>
    rolledBack(service.db, async (tx) => {
      const [partner, citizen] = [await addPartner(tx, partnerValues), await addCitizen(tx)]
      const [record, other] = [
        await addRecord(tx, partner, citizen, values),
        await addRecord(tx, partner, citizen),
      ]
      await run(tx, citizen, record)
      expect(await eventsOf(tx, record)).toEqual({ kinds: [type], types })
      expect([await stateOf(tx, record), await stateOf(tx, other)]).toEqual([state, 'PENDING'])
    }),
  )

  test('fails if the audit drops its row', () =>
    rolledBack(service.db, async (tx) => {
      const { partner, citizen } = await addParties(tx)
      const record = await addRecord(tx, partner, citizen, values)
      await read(tx, DROP_AUDIT_ROWS)
      await expect(run(tx, citizen, record)).rejects.toThrow(NOT_AUDITED)
    }))
})

describe('answerPending', () => {
  const DECLINE = { answer: 'DECLINED' } as const
  const PREFERENCES = ['frozen = true', 'blocked_partner_ids = array(select id from partner)']

  test.each(PREFERENCES)('with %s, a record can be declined, not accepted', (change) =>
    rolledBack(service.db, async (tx) => {
      const { partner, citizen } = await addParties(tx)
      const record = await addRecord(tx, partner, citizen)
      await read(tx, `update citizen set ${change} where id = ${citizen.id}`)
      const answer = (decision: typeof ACCEPT | typeof DECLINE) =>
        answerPending(tx, [citizen.uniqid_hmac], record.tracking_no, decision, ORIGIN)
      expect(await answer(ACCEPT)).toBeUndefined()
      expect(await stateOf(tx, record)).toBe('PENDING')
      expect(await answer(DECLINE)).toBe(60)
      const times = `select accepted_at, ended_at = clock_now() as has_ended, snapshot
                       from authorization_record where id = ${record.id}`
      expect(await read(tx, times)).toEqual([{ accepted_at: null, has_ended: true, snapshot: null }])
    }),
  )
})

describe('the limits of housekeeping count only what is due', () => {
  test('expirePending: no record that has ended before', () =>
    rolledBack(service.db, async (tx) => {
      const { partner, citizen } = await addParties(tx)
      await addRecord(tx, partner, citizen, { ...ACCEPTED, expires_at: secondsFromNow(-9) })
      const due = await addRecord(tx, partner, citizen, ENDING)
      expect(await expirePending(tx, 1)).toBe(1)
      expect(await stateOf(tx, due)).toBe('EXPIRED')
    }))

  test('eraseSnapshots: no record without a copy, and no copy that may be read', () =>
    rolledBack(service.db, async (tx) => {
      const { partner, citizen } = await addParties(tx)
      const addEnded = (values: Values) => addRecord(tx, partner, citizen, { ...ACCEPTED, ...values })
      await addEnded({ snapshot: null, snapshot_until: secondsFromNow(-9) })
      await addEnded({ snapshot: 'due', snapshot_until: NOW })
      await addEnded({ snapshot: 'readable', snapshot_until: secondsFromNow(1) })
      expect([await eraseSnapshots(tx, 1), await eraseSnapshots(tx, 10)]).toEqual([1, 0])
      const kept = `select snapshot from authorization_record where snapshot is not null`
      expect(await read(tx, kept)).toEqual([{ snapshot: 'readable' }])
    }))
})

describe('writeDisclosure', () => {
  const CASES = [
    { what: 'control: an accepted record', values: ACCEPTED, isRecorded: true },
    { what: 'a pending record', values: { ...ACCEPTED, state: 'PENDING' } },
    { what: 'a revoked record', values: { ...ACCEPTED, state: 'REVOKED' } },
    { what: 'the record of another partner', values: ACCEPTED, isForeign: true },
  ]
  test.each(CASES)('$what', ({ values, isForeign = false, isRecorded = false }) =>
    rolledBack(service.db, async (tx) => {
      const { partner, otherPartner, citizen } = await addParties(tx)
      const record = await addRecord(tx, partner, citizen, values)
      const { id: partnerId } = isForeign ? otherPartner : partner
      const { id: credentialId } = await addCredential(tx, partnerId)
      const access = { partnerId, credentialId, accessVersion: 1 }
      expect(await writeDisclosure(tx, record.tracking_no, access, 'test')).toEqual({
        is_current: true,
        is_recorded: isRecorded,
      })
    }),
  )
})

describe('insertQrCode', () => {
  const issue = (tx: Database, { uniqid_hmac }: CitizenRow) =>
    insertQrCode(
      tx,
      [uniqid_hmac],
      { hmac: 'new', purpose: 'inquire', partnerCode: null, recordId: 1, trackingNo: 'new' },
      60,
      'test',
    )

  test('issues nothing to a frozen citizen', () =>
    rolledBack(service.db, async (tx) => {
      const citizen = await addCitizen(tx, { frozen: true })
      expect(await issue(tx, citizen)).toEqual({ is_permitted: false, expires_at: null, refresh_at: null })
      expect(await read(tx, `select from audit_event where tracking_no = 'new'`)).toEqual([])
      expect(await read(tx, `select from qr_code where hmac = 'new'`)).toEqual([])
    }))

  test('fails if the audit drops its row', () =>
    rolledBack(service.db, async (tx) => {
      const citizen = await addCitizen(tx)
      await read(tx, DROP_AUDIT_ROWS)
      await expect(issue(tx, citizen)).rejects.toThrow(NOT_AUDITED)
    }))
})
