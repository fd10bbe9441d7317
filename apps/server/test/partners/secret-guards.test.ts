// The statements on the secrets of partners, one by one.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import {
  findSecretExpiries,
  listCredentialsOf,
  updateLastUse,
} from '../../src/partners/credentials/credential.sql.ts'
import { remindOfExpiry } from '../../src/partners/credentials/expiry-reminder.sql.ts'
import { revokeStoredCredential } from '../../src/partners/credentials/revoke-credential/revoke-credential.sql.ts'
import { insertSuccessor } from '../../src/partners/credentials/rotate-credential/rotate-credential.sql.ts'
import { interleave } from '../kit/interleave.ts'
import { withinTransaction, writerIn } from '../kit/partner-writer.ts'
import { addPartner, read } from '../kit/rows.ts'
import { openDatabaseForFile } from '../kit/statement-database.ts'
import { rolledBack } from '../kit/stopped-clock.ts'

const database = await openDatabaseForFile()

type Kind = 'secret_token' | 'partner_secret'
type Secret = { id: string; kind?: Kind; expiresAt?: string; revokedAt?: string; hmac?: string }

const SOON = `clock_now() + interval '1 ms'`
const NEVER = `'infinity'`

const addSecret = (
  db: Database,
  partnerId: number,
  { id, kind = 'secret_token', expiresAt = NEVER, revokedAt = 'null', hmac = '' }: Secret,
) =>
  read(
    db,
    `insert into credential (partner_id, credential_id, kind, hmac, expires_at, revoked_at)
     values (${partnerId}, '${id}', '${kind}', '${hmac}', ${expiresAt}, ${revokedAt})`,
  )

const auditOf = async (db: Database, requestId: string) =>
  (await read<{ kind: string }>(db, `select kind from audit_event where request_id = '${requestId}'`)).map(
    ({ kind }) => kind,
  )

test('findSecretExpiries: the newest valid secret of each kind counts, until it ends', () =>
  rolledBack(database, async (tx) => {
    const [{ id: own }, { id: other }] = [await addPartner(tx), await addPartner(tx)]
    const inDays = (days: number) => `'2100-01-01'::timestamptz + interval '${days} days'`
    await addSecret(tx, own, { id: 'older', expiresAt: inDays(1) })
    await addSecret(tx, own, { id: 'newest', expiresAt: inDays(2) })
    await addSecret(tx, own, { id: 'revoked', expiresAt: inDays(3), revokedAt: 'clock_now()' })
    await addSecret(tx, own, { id: 'ended', expiresAt: 'clock_now()' })
    await addSecret(tx, other, { id: 'other', expiresAt: inDays(4) })
    await addSecret(tx, other, { id: 'other secret', kind: 'partner_secret', expiresAt: inDays(4) })
    const [row] = await read<{ time: Date }>(tx, `select ${inDays(2)} as time`)
    expect([...(await findSecretExpiries(tx, own))]).toEqual([['secret_token', row!.time]])
  }))

test('listCredentialsOf: a secret is active until it ends or is revoked', () =>
  rolledBack(database, async (tx) => {
    const { id: own } = await addPartner(tx, { partner_code: 'OWN' })
    await addSecret(tx, own, { id: 'active', expiresAt: SOON })
    await addSecret(tx, own, { id: 'ended', expiresAt: 'clock_now()' })
    await addSecret(tx, own, { id: 'revoked', expiresAt: SOON, revokedAt: 'clock_now()' })
    await addSecret(tx, own, { id: 'ended, revoked', expiresAt: 'clock_now()', revokedAt: 'clock_now()' })
    await addSecret(tx, (await addPartner(tx)).id, { id: 'other' })
    const found = await listCredentialsOf(tx, 'OWN', 10)
    expect(found!.map(({ id, status }) => [id, status])).toEqual([
      ['ended, revoked', 'REVOKED'],
      ['revoked', 'REVOKED'],
      ['ended', 'EXPIRED'],
      ['active', 'ACTIVE'],
    ])
  }))

test('insertSuccessor: only a valid secret is the previous one, which keeps a grace period', () =>
  rolledBack(database, async (tx) => {
    const [{ id: own }, { id: other }] = [await addPartner(tx, { partner_code: 'OWN' }), await addPartner(tx)]
    await addSecret(tx, own, { id: 'oldest' })
    await addSecret(tx, own, { id: 'previous' })
    await addSecret(tx, own, { id: 'revoked', revokedAt: 'clock_now()' })
    await addSecret(tx, own, { id: 'ended', expiresAt: 'clock_now()' })
    await addSecret(tx, own, { id: 'other kind', kind: 'partner_secret' })
    await addSecret(tx, other, { id: 'other partner' })
    const now = new Date()
    await insertSuccessor(
      writerIn(withinTransaction(tx)),
      'OWN',
      { id: 'new', kind: 'secret_token', hmac: '', createdAt: now, expiresAt: now, graceDays: 7 },
      { kind: 'credential.rotated', actor: '', requestId: 'rotation' },
    )
    const ends = await read<{ id: string; left: string }>(
      tx,
      `select credential_id as id, (expires_at - clock_now())::text as left from credential c
        where partner_id in (${own}, ${other}) and expires_at <> 'infinity' and credential_id <> 'new'
        order by c.id`,
    )
    expect(ends.map(({ id, left }) => `${id}: ${left}`)).toEqual([
      'oldest: 00:00:00',
      'previous: 7 days',
      'ended: 00:00:00',
    ])
    const [audited] = await read<{ detail: string }>(
      tx,
      `select detail from audit_event where request_id = 'rotation'`,
    )
    expect(audited!.detail).toMatch(/^secret_token new replaces previous until \S+, oldest until \S+$/)
  }))

describe('revokeStoredCredential', () => {
  const revoke = (db: Database, code: string, id: string, requestId: string) =>
    revokeStoredCredential(writerIn(db), code, id, { kind: 'credential.revoked', actor: '', requestId })

  test('revokes once, and then reports that nothing changed', () =>
    rolledBack(database, async (tx) => {
      const [{ id: own }, { id: other }] = [
        await addPartner(tx, { partner_code: 'OWN' }),
        await addPartner(tx),
      ]
      await addSecret(tx, own, { id: 'ended', expiresAt: 'clock_now()' })
      await addSecret(tx, own, { id: 'untouched' })
      await addSecret(tx, other, { id: 'other' })
      const revoked = { id: 'ended', status: 'REVOKED' }
      expect(await revoke(tx, 'OWN', 'ended', 'first')).toMatchObject({ ...revoked, is_changed: true })
      expect(await revoke(tx, 'OWN', 'ended', 'second')).toMatchObject({ ...revoked, is_changed: false })
      expect(await revoke(tx, 'OWN', 'other', 'third')).toBeUndefined()
      const audited = await Promise.all(['first', 'second', 'third'].map((id) => auditOf(tx, id)))
      expect(audited).toEqual([['credential.revoked'], [], []])
      expect(await read(tx, 'select credential_id as id from credential where revoked_at is null')).toEqual(
        expect.arrayContaining([{ id: 'untouched' }, { id: 'other' }]),
      )
    }))

  test('of two concurrent revocations, one changes the secret', async () => {
    const { id } = await addPartner(database, { partner_code: 'REVOKED' })
    await addSecret(database, id, { id: 'revoked twice' })
    const act = (requestId: string) => (tx: Database) => revoke(tx, 'REVOKED', 'revoked twice', requestId)
    const gate = { name: 'the first commits' }
    const results = await interleave(database, gate, act('earlier'), act('later'))
    expect(results.map((result) => result?.is_changed)).toEqual([true, false])
    expect(await auditOf(database, 'later')).toEqual([])
  })
})

describe('updateLastUse', () => {
  const usesOf = (db: Database, partnerId: number) =>
    read<{ day: string; version: string }>(
      db,
      `select last_used_on::text as day, ctid::text as version from credential
        where partner_id = ${partnerId} order by id`,
    )
  const daysOf = async (db: Database, partnerId: number) =>
    (await usesOf(db, partnerId)).map(({ day }) => day)

  test('stores the day of this secret of this partner, and writes no day twice', () =>
    rolledBack(database, async (tx) => {
      const [{ id: own }, { id: other }] = [await addPartner(tx), await addPartner(tx)]
      for (const partner of [own, other])
        for (const hmac of ['used', 'unused'])
          await addSecret(tx, partner, { id: `${hmac} ${partner}`, hmac })
      await updateLastUse(tx, own, 'used', '2000-01-01')
      expect(await daysOf(tx, own)).toEqual(['2000-01-01', null])
      expect(await daysOf(tx, other)).toEqual([null, null])
      const before = await usesOf(tx, own)
      await updateLastUse(tx, own, 'used', '2000-01-01')
      expect(await usesOf(tx, own)).toEqual(before)
      await updateLastUse(tx, own, 'used', '2000-01-02')
      expect(await daysOf(tx, own)).toEqual(['2000-01-02', null])
    }))

  test('skips a secret that another process has locked', async () => {
    const { id: own } = await addPartner(database)
    await addSecret(database, own, { id: 'locked', hmac: 'locked' })
    const useOn = (day: string) => (tx: Database) => updateLastUse(tx, own, 'locked', day)
    const gate = { name: 'the first commits' }
    await interleave(database, gate, useOn('2000-01-01'), useOn('2000-01-02'))
    expect(await daysOf(database, own)).toEqual(['2000-01-01'])
  })
})

describe('remindOfExpiry', () => {
  const eventsOf = (db: Database, ...partnerIds: number[]) =>
    read(
      db,
      `select partner_id, data->>'credential' as kind from callback_event
        where type = 'credential.expiring' and partner_id in (${partnerIds.join()})`,
    )
  const ENDING = `clock_now() + interval '3 days' - interval '1 ms'`

  test('reminds a partner with a callback URL of the secrets that end within the time', () =>
    rolledBack(database, async (tx) => {
      const [{ id: own }, { id: silent }] = [
        await addPartner(tx, { callback_url: 'https://partner.example/events' }),
        await addPartner(tx),
      ]
      await addSecret(tx, own, { id: 'ending', expiresAt: ENDING })
      await addSecret(tx, own, {
        id: 'at the bound',
        kind: 'partner_secret',
        expiresAt: `clock_now() + interval '3 days'`,
      })
      // The later secret of another partner is no successor. Without a callback URL there is no event.
      await addSecret(tx, silent, { id: 'silent', kind: 'partner_secret', expiresAt: ENDING })
      await addSecret(tx, silent, { id: 'silent, lasting' })
      expect(await remindOfExpiry(tx, 3, 10)).toBe(2)
      expect(await eventsOf(tx, own, silent)).toEqual([{ partner_id: own, kind: 'secret_token' }])
      expect(await remindOfExpiry(tx, 3, 10)).toBe(0)
    }))

  test('no event for a secret that has ended: replaced without a grace period by one that is revoked', () =>
    rolledBack(database, async (tx) => {
      const callback_url = 'https://partner.example/events'
      const { id: own } = await addPartner(tx, { partner_code: 'OWN', callback_url })
      await addSecret(tx, own, { id: 'replaced' })
      const [createdAt, expiresAt] = [new Date(), new Date('2100-01-01')]
      await insertSuccessor(
        writerIn(tx),
        'OWN',
        { id: 'new', kind: 'secret_token', hmac: '', createdAt, expiresAt, graceDays: 0 },
        { kind: 'credential.rotated', actor: '', requestId: 'rotation' },
      )
      await read(tx, `update credential set revoked_at = clock_now() where credential_id = 'new'`)
      expect(await remindOfExpiry(tx, 3, 10)).toBe(0)
      expect(await eventsOf(tx, own)).toEqual([])
    }))

  test('skips a secret that another process reminds of', async () => {
    const { id: own } = await addPartner(database, { callback_url: `https://${randomUUID()}.example` })
    await addSecret(database, own, { id: 'reminded', expiresAt: ENDING })
    const remind = (tx: Database) => remindOfExpiry(tx, 3, 10)
    expect(await interleave(database, { name: 'the first commits' }, remind, remind)).toEqual([1, 0])
    expect(await eventsOf(database, own)).toEqual([{ partner_id: own, kind: 'secret_token' }])
  })
})
