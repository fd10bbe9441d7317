// The statements that apply a lost change of a partner again, after a restore.
import { describe, expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { revokeStoredCredential } from '../../src/partners/credentials/revoke-credential/revoke-credential.sql.ts'
import { endReplacedSecrets } from '../../src/partners/credentials/rotate-credential/rotate-credential.sql.ts'
import { reapplyPartnerStatus, setPartnerStatus } from '../../src/partners/status/partner-status.sql.ts'
import { interleave } from '../kit/interleave.ts'
import { withinTransaction, writerIn } from '../kit/partner-writer.ts'
import { addPartner, read } from '../kit/rows.ts'
import { openDatabaseForFile } from '../kit/statement-database.ts'
import { rolledBack } from '../kit/stopped-clock.ts'

const database = await openDatabaseForFile()
const AT = new Date('2000-01-01T00:00:00.123Z')
const FIRST_COMMITS = { name: 'the first commits' }

const actionOf = (requestId: string) => ({ kind: 'partner.suspended', actor: '', requestId })
const countAudited = async (db: Database, requestId: string) =>
  (await read(db, `select from audit_event where request_id = '${requestId}'`)).length

describe('reapplyPartnerStatus', () => {
  const suspendAgain = (db: Database, code: string, requestId: string) =>
    reapplyPartnerStatus(writerIn(withinTransaction(db)), code, 'SUSPENDED', AT, actionOf(requestId))
  const statusOf = async (db: Database, id: number) =>
    (await read<{ status: string }>(db, `select status from partner where id = ${id}`))[0]!.status

  test.each([
    { what: 'it was resumed later', kind: 'partner.resumed', ms: 1, isChangedSince: true },
    { what: 'it was suspended later', kind: 'partner.suspended', ms: 1, isChangedSince: true },
    { what: 'it was resumed at that time', kind: 'partner.resumed', ms: 0, isChangedSince: false },
    { what: 'it was changed later in another way', kind: 'partner.changed', ms: 1, isChangedSince: false },
    {
      what: 'another partner was resumed later',
      isOther: true,
      kind: 'partner.resumed',
      ms: 1,
      isChangedSince: false,
    },
  ])('$what: changed since is $isChangedSince', async ({ kind, ms, isOther, isChangedSince }) => {
    await rolledBack(database, async (tx) => {
      const [{ id: own }, { id: other }] = [
        await addPartner(tx, { partner_code: 'OWN' }),
        await addPartner(tx),
      ]
      await read(
        tx,
        `insert into audit_event (occurred_at, kind, partner_id, request_id)
         values ('${AT.toISOString()}'::timestamptz + interval '${ms} ms', '${kind}',
                 ${isOther ? other : own}, '')`,
      )
      const found = await suspendAgain(tx, 'OWN', 'again')
      expect(found).toEqual({ is_in_effect: false, is_changed_since: isChangedSince })
      expect(await statusOf(tx, own)).toBe(isChangedSince ? 'ACTIVE' : 'SUSPENDED')
      expect(await statusOf(tx, other)).toBe('ACTIVE')
      expect(await countAudited(tx, 'again')).toBe(isChangedSince ? 0 : 1)
    })
  })

  test('writes nothing if the status is in effect', () =>
    rolledBack(database, async (tx) => {
      await addPartner(tx, { partner_code: 'OWN' })
      await suspendAgain(tx, 'OWN', 'first')
      await read(tx, 'alter table audit_event disable trigger insert_only')
      await read(tx, 'delete from audit_event')
      const found = await suspendAgain(tx, 'OWN', 'second')
      expect(found).toEqual({ is_in_effect: true, is_changed_since: false })
      expect(await countAudited(tx, 'second')).toBe(0)
    }))

  test('waits for a suspension that is not committed yet, and then writes nothing', async () => {
    await addPartner(database, { partner_code: 'SUSPENDED' })
    const [, found] = await interleave(
      database,
      FIRST_COMMITS,
      (tx) => setPartnerStatus(writerIn(tx), 'SUSPENDED', 'SUSPENDED', actionOf('suspension')),
      (tx) => suspendAgain(tx, 'SUSPENDED', 'replay'),
    )
    expect(found).toMatchObject({ is_in_effect: true })
    expect(await countAudited(database, 'replay')).toBe(0)
  })

  test('waits for a resumption that is not committed yet, and then leaves the partner active', async () => {
    const { id: own } = await addPartner(database, { partner_code: 'RESUMED' })
    await read(database, `update partner set status = 'SUSPENDED' where id = ${own}`)
    const [, found] = await interleave(
      database,
      FIRST_COMMITS,
      (tx) =>
        setPartnerStatus(writerIn(tx), 'RESUMED', 'ACTIVE', {
          ...actionOf('resumption'),
          kind: 'partner.resumed',
        }),
      (tx) => suspendAgain(tx, 'RESUMED', 'late replay'),
    )
    expect(found).toEqual({ is_in_effect: false, is_changed_since: true })
    expect(await statusOf(database, own)).toBe('ACTIVE')
  })

  test('does not wait for another partner', async () => {
    await addPartner(database, { partner_code: 'NOT_WAITING' })
    const { id: other } = await addPartner(database)
    const holder = await database.startTransaction().execute()
    await read(holder, `select from partner where id = ${other} for update`)
    const found = database.transaction().execute(async (tx) => {
      await read(tx, `set local lock_timeout = '100ms'`)
      return suspendAgain(tx, 'NOT_WAITING', '')
    })
    await found.catch(() => {})
    await holder.rollback().execute()
    expect(await found.catch((error: { code: string }) => error.code)).toEqual({
      is_in_effect: false,
      is_changed_since: false,
    })
  })
})

describe('endReplacedSecrets', () => {
  const end = (db: Database, code: string, replaced: { id: string; until: Date }[]) =>
    endReplacedSecrets(
      writerIn(db),
      code,
      { kind: 'secret_token', successor: 'lost', replaced },
      AT,
      actionOf('end'),
    )
  const addSecret = (db: Database, partnerId: number, id: string, createdAt: string) =>
    read(
      db,
      `insert into credential (partner_id, credential_id, kind, hmac, created_at, expires_at)
       values (${partnerId}, '${id}', 'secret_token', '', ${createdAt}, 'infinity')`,
    )

  test('a secret that was created at the time of the rotation is no later one', () =>
    rolledBack(database, async (tx) => {
      const { id: own } = await addPartner(tx, { partner_code: 'OWN' })
      const at = `'${AT.toISOString()}'::timestamptz`
      await addSecret(tx, own, 'same time', at)
      expect((await end(tx, 'OWN', []))!.needs_secret).toBe(true)
      await addSecret(tx, own, 'later', `${at} + interval '1 ms'`)
      expect((await end(tx, 'OWN', []))!.needs_secret).toBe(false)
    }))

  test('waits for a revocation that is not committed yet, and then does not touch the secret', async () => {
    const { id } = await addPartner(database, { partner_code: 'REVOKED' })
    await addSecret(database, id, 'revoked', 'clock_now()')
    const [, found] = await interleave(
      database,
      FIRST_COMMITS,
      (tx) => revokeStoredCredential(writerIn(tx), 'REVOKED', 'revoked', actionOf('revocation')),
      (tx) => end(tx, 'REVOKED', [{ id: 'revoked', until: new Date() }]),
    )
    expect(found).toMatchObject({ known: 1, ended: 0 })
    expect(await countAudited(database, 'end')).toBe(0)
  })
})
