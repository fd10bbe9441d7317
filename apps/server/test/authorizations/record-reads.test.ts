// The statements that read authorization records find the records that they name, in their current state.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { findRecordsOfAllPartners } from '../../src/authorizations/find-authorizations/find-authorizations.sql.ts'
import { inquireRecord } from '../../src/authorizations/inquire/inquire.sql.ts'
import { findShareable } from '../../src/authorizations/profile-by-qr/profile-by-qr.sql.ts'
import { findRecordOfRetry } from '../../src/authorizations/qr-presentation.sql.ts'
import { findRecord } from '../../src/authorizations/record.sql.ts'
import type { Database } from '../../src/database/connect.ts'
import { timeText } from '../../src/secrets/tokens.ts'
import { startServiceForFile } from '../kit/api-client.ts'
import {
  ACCEPTED,
  ENDING,
  addCitizen,
  addCredential,
  addParties,
  addPartner,
  addQr,
  addRecord,
  NOW,
  read,
  secondsFromNow,
  type Values,
} from '../kit/rows.ts'
import { rolledBack } from '../kit/stopped-clock.ts'

const { service } = await startServiceForFile()

const PENDING = {}

describe('a record of a partner', () => {
  const CASES = [
    { what: 'pending', values: PENDING, state: 'PENDING', isEnding: true },
    { what: 'at its end', values: ENDING, state: 'EXPIRED', isEnding: true },
    { what: 'accepted', values: ACCEPTED, state: 'ACCEPTED', snapshot: 'copy' },
    {
      what: 'whose copy ends',
      values: { ...ACCEPTED, snapshot_until: NOW },
      state: 'ACCEPTED',
    },
    { what: 'of a frozen citizen', values: ACCEPTED, change: 'frozen = true', state: 'ACCEPTED' },
    {
      what: 'of a citizen that blocks the partner',
      values: ACCEPTED,
      change: 'blocked_partner_ids = array(select id from partner)',
      state: 'ACCEPTED',
    },
  ]
  const READS = [
    {
      name: 'findRecord',
      find: (tx: Database, partnerId: number, trackingNo: string) =>
        findRecord(tx, partnerId, trackingNo, 'UTC'),
    },
    {
      name: 'findRecordOfRetry',
      find: async (tx: Database, partnerId: number, trackingNo: string) =>
        findRecordOfRetry(tx, partnerId, [trackingNo], 'PROFILE_INQUIRE', {
          ...service.config,
          qrRetrySeconds: 61,
        }),
    },
    {
      name: 'inquireRecord',
      find: async (tx: Database, partnerId: number, trackingNo: string) => {
        const { id: credentialId } = await addCredential(tx, partnerId)
        const access = { partnerId, credentialId, accessVersion: 1 }
        return inquireRecord(tx, { ...access, trackingNo, requestId: 'test', timeZone: 'UTC' })
      },
    },
  ]
  const all = READS.flatMap((each) => CASES.map((one) => ({ ...each, ...one })))
  test.each(all)('$name: $what', (each) =>
    rolledBack(service.db, async (tx) => {
      const { find, values, state } = each
      const { change, snapshot, isEnding } = { change: '', snapshot: null, isEnding: false, ...each }
      const { partner, citizen } = await addParties(tx)
      if (change) await read(tx, `update citizen set ${change} where id = ${citizen.id}`)
      const record = await addRecord(tx, partner, citizen, values)
      // The retry finds the record by its QR value.
      await addQr(tx, citizen, { tracking_no: record.tracking_no, hmac: record.tracking_no, used_at: NOW })
      const found = await find(tx, partner.id, record.tracking_no)
      expect(found).toMatchObject({ id: record.id, state, snapshot })
      expect(found!.expires_at !== null).toBe(isEnding)
    }),
  )

  test('findRecordOfRetry: not when the retry time ends', () =>
    rolledBack(service.db, async (tx) => {
      const { partner, citizen } = await addParties(tx)
      const record = await addRecord(tx, partner, citizen)
      const qr = await addQr(tx, citizen, { tracking_no: record.tracking_no, used_at: NOW })
      const find = (qrRetrySeconds: number) =>
        findRecordOfRetry(tx, partner.id, [qr.hmac], 'PROFILE_INQUIRE', { ...service.config, qrRetrySeconds })
      expect(await find(61)).toMatchObject({ id: record.id })
      expect(await find(60)).toBeUndefined()
    }))

  // Otherwise the time of a refusal says that the value exists, and so that the citizen blocks the partner.
  test('findRecordOfRetry: an unused value costs as many statements as an unknown one', () =>
    rolledBack(service.db, async (tx) => {
      const { partner, citizen } = await addParties(tx)
      const countStatements = async (hmac: string) => {
        let statements = 0
        const counting = tx.withPlugin({
          transformQuery: ({ node }) => (statements++, node),
          transformResult: ({ result }) => Promise.resolve(result),
        })
        await findRecordOfRetry(counting, partner.id, [hmac], 'PROFILE_INQUIRE', service.config)
        return statements
      }
      const [unused, used] = [await addQr(tx, citizen), await addQr(tx, citizen, { used_at: NOW })]
      expect(await Promise.all(['unknown', unused.hmac, used.hmac].map(countStatements))).toEqual([1, 1, 2])
    }))
})

describe('inquireRecord', () => {
  test('gives each inquiry of a batch its own copy, and only within the scopes of the partner', () =>
    rolledBack(service.db, async (tx) => {
      const { citizen } = await addParties(tx)
      const partner = await addPartner(tx, { scopes: ['PROFILE_INQUIRE'] })
      const viewer = await addPartner(tx, { scopes: ['PROFILE_VIEW'] })
      const inquire = async (owner: typeof partner, values: Values) => {
        const { tracking_no: trackingNo } = await addRecord(tx, owner, citizen, { ...ACCEPTED, ...values })
        const { id: credentialId } = await addCredential(tx, owner.id)
        const access = { partnerId: owner.id, credentialId, accessVersion: 1 }
        return () => inquireRecord(tx, { ...access, trackingNo, requestId: 'test', timeZone: 'UTC' })
      }
      const viewed = { scope: 'PROFILE_VIEW', state: 'VIEWED' }
      const inquiries = [
        await inquire(partner, { snapshot: 'first' }),
        await inquire(partner, { snapshot: 'second' }),
        await inquire(partner, viewed),
        await inquire(viewer, viewed),
      ]
      expect(await Promise.all(inquiries.map((send) => send()))).toMatchObject([
        { snapshot: 'first', is_current: true },
        { snapshot: 'second', is_current: true },
        { snapshot: null, is_current: true },
        { snapshot: null, is_current: false },
      ])
    }))

  test('finds the records of a batch that are of several days', () =>
    rolledBack(service.db, async (tx) => {
      const { partner, citizen } = await addParties(tx)
      const { id: credentialId } = await addCredential(tx, partner.id)
      const access = { partnerId: partner.id, credentialId, accessVersion: 1 }
      const numbers = [0, 1, 30].map(
        (days) => `${timeText(Date.now() / 1_000 - days * 86_400)}00ABCDEFGHJKMNPQRST`,
      )
      for (const tracking_no of numbers) await addRecord(tx, partner, citizen, { tracking_no })
      const found = await Promise.all(
        numbers.map((trackingNo) =>
          inquireRecord(tx, { ...access, trackingNo, requestId: 'test', timeZone: 'UTC' }),
        ),
      )
      expect(found.map((row) => row?.tracking_no)).toEqual(numbers)
    }))
})

test('findRecordsOfAllPartners: the state of each, and when it ended', () =>
  rolledBack(service.db, async (tx) => {
    const citizen = await addCitizen(tx)
    const all = [PENDING, ENDING, { ...ACCEPTED, ended_at: secondsFromNow(-5) }]
    for (const [index, values] of all.entries())
      await addRecord(tx, await addPartner(tx, { partner_code: `OF_ALL_${index}` }), citizen, {
        ...values,
        tracking_no: 'of all',
      })
    const [{ now }] = (await read<{ now: Date }>(tx, 'select clock_now() as now')) as [{ now: Date }]
    expect(await findRecordsOfAllPartners(tx, 'of all')).toMatchObject([
      { partner_code: 'OF_ALL_0', state: 'PENDING', ended_at: null },
      { partner_code: 'OF_ALL_1', state: 'EXPIRED', ended_at: now },
      { partner_code: 'OF_ALL_2', state: 'ACCEPTED', ended_at: new Date(now.getTime() - 5_000) },
    ])
  }))

describe('findShareable does not find', () => {
  test.each([
    { what: 'control: it finds a value for sharing', isFound: true },
    { what: 'a value for an inquiry', values: { purpose: 'inquire' } },
    { what: 'a value that was used', values: { used_at: NOW } },
    { what: 'a value at its end', values: { expires_at: NOW } },
    { what: 'a value from before a restore', values: { epoch: sql`current_epoch() - 1` } },
    { what: 'a value of a frozen citizen', citizenValues: { frozen: true } },
    {
      what: 'a value of a citizen that blocks the partner',
      citizenValues: { blocked_partner_ids: sql`array(select id from partner)` },
    },
    { what: 'a value of an erased citizen', citizenValues: { data_key: null } },
  ])('$what', ({ values = {}, citizenValues = {}, isFound = false }) =>
    rolledBack(service.db, async (tx) => {
      const { secret_code: secretCode } = await addPartner(tx)
      const { hmac } = await addQr(tx, await addCitizen(tx, citizenValues), values)
      expect((await findShareable(tx, { hmacs: [hmac], secretCode })) !== undefined).toBe(isFound)
    }),
  )
})
