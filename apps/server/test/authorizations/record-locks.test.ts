// The statements on authorization records wait for the locks of their own citizen and record, and for no
// others. What changes during the wait counts.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { answerPending } from '../../src/authorizations/answer/answer.sql.ts'
import { cancelPending } from '../../src/authorizations/cancel-authorization/cancel-authorization.sql.ts'
import { writeDisclosure } from '../../src/authorizations/disclosure-commit.sql.ts'
import { eraseSnapshots } from '../../src/authorizations/expiry.sql.ts'
import { inquireRecord } from '../../src/authorizations/inquire/inquire.sql.ts'
import { insertQrCode } from '../../src/authorizations/issue-qr-code/issue-qr-code.sql.ts'
import { createViewedRecord } from '../../src/authorizations/profile-by-qr/profile-by-qr.sql.ts'
import { createPendingRecord } from '../../src/authorizations/request-authorization/request-authorization.sql.ts'
import { revokeConsent } from '../../src/authorizations/revoke-authorization/revoke-authorization.sql.ts'
import type { Database } from '../../src/database/connect.ts'
import { startServiceForFile } from '../kit/api-client.ts'
import { WAITS, whileHeld } from '../kit/blocked-statements.ts'
import { interleave } from '../kit/interleave.ts'
import {
  ACCEPTED,
  addCitizen,
  addCredential,
  addParties,
  addQr,
  addRecord,
  read,
  secondsFromNow,
} from '../kit/rows.ts'

const { service } = await startServiceForFile()

const LIFETIME = secondsFromNow(30)
const ORIGIN = { requestId: 'test', traceparent: null }

/** A citizen and another one, and what each statement needs; all of it ends in 30 seconds. */
async function prepare() {
  const { db } = service
  const { partner, citizen, otherCitizen } = await addParties(db)
  const [inquireQr, shareQr] = [
    await addQr(db, citizen, { purpose: 'inquire', expires_at: LIFETIME }),
    await addQr(db, citizen, { expires_at: LIFETIME }),
  ]
  const pending = await addRecord(db, partner, citizen, { expires_at: LIFETIME })
  const accepted = await addRecord(db, partner, citizen, { ...ACCEPTED, snapshot_until: LIFETIME })
  const ofOther = await addRecord(db, partner, otherCitizen, { expires_at: LIFETIME })
  const { id: credentialId } = await addCredential(db, partner.id)
  const access = { partnerId: partner.id, credentialId, accessVersion: 1 }
  const hmacs = { inquire: [inquireQr.hmac], share: [shareQr.hmac] }
  return { citizen, otherCitizen, inquireQr, shareQr, hmacs, pending, accepted, ofOther, access }
}
type Prepared = Awaited<ReturnType<typeof prepare>>

/** Each returns whether the statement did its work. */
const RUNS = {
  createPendingRecord: async (db: Database, { access, hmacs }: Prepared) => {
    const presentation = { ...access, qrHmacs: hmacs.inquire, qrValue: '', requestId: 'test' }
    return (await createPendingRecord(db, presentation, service.config)).id !== null
  },
  createViewedRecord: async (db: Database, { access, hmacs, citizen: { profile } }: Prepared) => {
    const value = { qrHmacs: hmacs.share, qrValue: '', trackingNo: randomUUID() }
    const view = { ...access, ...ORIGIN, ...value, callback_url: null, profile, snapshot: 'copy' }
    return (await createViewedRecord(db, view, 60)).is_created
  },
  insertQrCode: async (db: Database, { citizen }: Prepared) => {
    const hmac = randomUUID()
    const code = { hmac, purpose: 'share', partnerCode: null, recordId: 1, trackingNo: hmac } as const
    return (await insertQrCode(db, [citizen.uniqid_hmac], code, 60, 'test'))!.is_permitted
  },
  answerPending: async (db: Database, { citizen, pending }: Prepared) => {
    const { profile } = citizen
    const decision = { answer: 'ACCEPTED', profile, snapshot: 'copy', resultTtlSeconds: 60 } as const
    const answered = await answerPending(db, [citizen.uniqid_hmac], pending.tracking_no, decision, ORIGIN)
    return answered !== undefined
  },
  cancelPending: async (db: Database, { pending }: Prepared) => {
    await cancelPending(db, pending.partner_id, pending.tracking_no, ORIGIN)
    return (
      (
        await read(
          db,
          `select from authorization_record
                             where id = ${pending.id} and state = 'CANCELLED'`,
        )
      ).length === 1
    )
  },
  revokeConsent: async (db: Database, { citizen, accepted }: Prepared) => {
    await revokeConsent(db, [citizen.uniqid_hmac], accepted.tracking_no, ORIGIN)
    return true
  },
  writeDisclosure: async (db: Database, { access, accepted }: Prepared) =>
    (await writeDisclosure(db, accepted.tracking_no, access, 'test')).is_recorded,
  inquireRecord: async (db: Database, { access, accepted }: Prepared) => {
    const inquiry = { ...access, trackingNo: accepted.tracking_no, requestId: 'test', timeZone: 'UTC' }
    return (await inquireRecord(db, inquiry))!.snapshot !== null
  },
}
type Name = keyof typeof RUNS

const citizenLock = ({ id }: { id: number }) => `select pg_advisory_xact_lock(1, ${id})`

const OF_CITIZEN = [
  'insertQrCode',
  'answerPending',
  'createPendingRecord',
  'createViewedRecord',
  'revokeConsent',
  'writeDisclosure',
  'inquireRecord',
] as const

describe('a statement on a citizen', () => {
  test.each(OF_CITIZEN)('%s waits for the advisory lock of the citizen', async (name) => {
    const prepared = await prepare()
    expect(await whileHeld(service.db, citizenLock(prepared.citizen), (tx) => RUNS[name](tx, prepared))).toBe(
      WAITS,
    )
  })

  // PostgreSQL logs the page of a row that was locked, and the pages of citizens are many.
  test.each(OF_CITIZEN)('%s locks no row of a citizen', async (name) => {
    const prepared = await prepare()
    const rows = `select from citizen where id = ${prepared.citizen.id} for update`
    expect(await whileHeld(service.db, rows, (tx) => RUNS[name](tx, prepared))).toBe(true)
  })

  test.each(OF_CITIZEN)('%s does not wait for another citizen', async (name) => {
    const prepared = await prepare()
    expect(
      await whileHeld(service.db, citizenLock(prepared.otherCitizen), (tx) => RUNS[name](tx, prepared)),
    ).toBe(true)
  })

  test('writeDisclosure waits for nothing without current access', async () => {
    const prepared = await prepare()
    const old = { ...prepared, access: { ...prepared.access, accessVersion: 0 } }
    expect(
      await whileHeld(service.db, citizenLock(prepared.citizen), (tx) => RUNS.writeDisclosure(tx, old)),
    ).toBe(false)
  })

  test('inquireRecord does not wait for the citizen of a pending record in its batch', async () => {
    const prepared = await prepare()
    const pending = { ...prepared, accepted: prepared.ofOther }
    const disclosed = await whileHeld(service.db, citizenLock(prepared.otherCitizen), (tx) =>
      Promise.all([RUNS.inquireRecord(tx, prepared), RUNS.inquireRecord(tx, pending)]),
    )
    expect(disclosed).toEqual([true, false])
  })

  test('eraseSnapshots skips a record that is locked', async () => {
    const { accepted } = await prepare()
    const erased = await whileHeld(
      service.db,
      `select from authorization_record where id = ${accepted.id} for update`,
      async (tx) => {
        // Only in this transaction, the clock is an hour later.
        await sql`update clock set advance = advance + interval '1 hour'`.execute(tx)
        await eraseSnapshots(tx, 1_000)
        return read(tx, `select from authorization_record where id = ${accepted.id} and snapshot is null`)
      },
    )
    expect(erased).toEqual([])
  })
})

describe('a statement that waited does nothing if, during the wait,', () => {
  const freeze = ({ citizen }: Prepared) =>
    `${citizenLock(citizen)}; update citizen set frozen = true where id = ${citizen.id}`
  const setState = (state: string, record: 'pending' | 'accepted') => (prepared: Prepared) =>
    `update authorization_record set state = ${state} where id = ${prepared[record].id}`
  const lock = ({ citizen }: Prepared) => citizenLock(citizen)

  type Case = { name: Name; what: string; held: (prepared: Prepared) => string; seconds?: number }
  const late = (name: Name, held: Case['held']): Case => ({ name, what: 'its time ends', held, seconds: 31 })
  const CASES: Case[] = [
    { name: 'createPendingRecord', what: 'the citizen freezes', held: freeze },
    { name: 'createViewedRecord', what: 'the citizen freezes', held: freeze },
    { name: 'insertQrCode', what: 'the citizen freezes', held: freeze },
    { name: 'answerPending', what: 'the citizen freezes', held: freeze },
    { name: 'answerPending', what: 'the record is cancelled', held: setState(`'CANCELLED'`, 'pending') },
    { name: 'inquireRecord', what: 'the citizen freezes', held: freeze },
    { name: 'writeDisclosure', what: 'the citizen freezes', held: freeze },
    { name: 'inquireRecord', what: 'the record is revoked', held: setState(`'REVOKED'`, 'accepted') },
    { name: 'writeDisclosure', what: 'the record is revoked', held: setState(`'REVOKED'`, 'accepted') },
    late('createPendingRecord', lock),
    late('createViewedRecord', lock),
    late('answerPending', lock),
    late('cancelPending', setState('state', 'pending')),
    late('inquireRecord', lock),
    late('writeDisclosure', lock),
  ]

  /** Whether the statement did its work after the holder has committed. */
  async function runBehind(
    { name, held, seconds = 0 }: Omit<Case, 'what'>,
    prepared: Prepared,
  ): Promise<boolean> {
    const [, isDone] = await interleave(
      service.db,
      { name: 'the first commits', meanwhile: () => service.advance(seconds) },
      (tx) => read(tx, held(prepared)),
      (tx) => RUNS[name](tx, prepared),
    )
    return isDone
  }

  test.each(CASES)('$what: $name', async (each) => expect(await runBehind(each, await prepare())).toBe(false))

  test.each(CASES.filter(({ seconds }) => seconds))(
    'control: nothing changes: $name',
    async ({ name, held }) => expect(await runBehind({ name, held }, await prepare())).toBe(true),
  )

  test('control: a record that is cancelled ends after the wait', async () => {
    const prepared = await prepare()
    const isDone = await runBehind(
      { name: 'cancelPending', held: setState('state', 'pending'), seconds: 20 },
      prepared,
    )
    const ended = `select extract(epoch from ended_at - requested_at)::int - 60 as seconds
                     from authorization_record where id = ${prepared.pending.id}`
    const [{ seconds }] = (await read<{ seconds: number }>(service.db, ended)) as [{ seconds: number }]
    expect(isDone).toBe(true)
    expect(seconds).toBeGreaterThanOrEqual(20)
  })
})

describe('a statement with the HMACs of two QR values', () => {
  test.each(['createPendingRecord', 'createViewedRecord'] as const)(
    '%s judges each by its own citizen, and uses no other value',
    async (name) => {
      const { db } = service
      const prepared = await prepare()
      const other = await addQr(db, prepared.otherCitizen)
      const frozen = await addQr(db, await addCitizen(db, { frozen: true }))
      const own = name === 'createPendingRecord' ? prepared.inquireQr : prepared.shareQr
      const both = [own.hmac, frozen.hmac]
      const hmacs = { inquire: both, share: both }
      expect(await RUNS[name](db, { ...prepared, hmacs })).toBe(true)
      const used = await read(
        db,
        `select id from qr_code
          where used_at is not null and id in (${own.id}, ${other.id}, ${frozen.id})`,
      )
      expect(used).toEqual([{ id: own.id }])
    },
  )
})
