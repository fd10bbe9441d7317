// The secrets and the usage that authenticate a partner.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { findPartnerWithSecrets } from '../../src/authentication/partner-with-secrets.sql.ts'
import type { Database } from '../../src/database/connect.ts'
import { addPartner, read } from '../kit/rows.ts'
import { openDatabaseForFile } from '../kit/statement-database.ts'
import { rolledBack } from '../kit/stopped-clock.ts'

const database = await openDatabaseForFile()

const KINDS = ['secret_token', 'partner_secret'] as const
type Kind = (typeof KINDS)[number]

const find = (db: Database, kind: Kind, code: string) =>
  findPartnerWithSecrets[kind](db, { code, timeZone: 'UTC' })
/** A partner that both kinds of secrets find by this code. */
const addWithCode = (db: Database, code: string, limits = {}) =>
  addPartner(db, { partner_code: code, secret_code: code, limits })

describe.each(KINDS)('findPartnerWithSecrets, %s:', (kind) => {
  test('reads the valid secrets of the kind: no revoked one, and none that ends now', () =>
    rolledBack(database, async (tx) => {
      const [{ id: own }, { id: other }] = [await addWithCode(tx, 'OWN'), await addPartner(tx)]
      const otherKind = KINDS.find((each) => each !== kind)!
      const add = (hmac: string, values: string) =>
        read(
          tx,
          `insert into credential (hmac, partner_id, kind, expires_at, revoked_at)
                  values ('${hmac}', ${values})`,
        )
      const LATER = `clock_now() + interval '1 ms'`
      // The statement reads two secrets, the newest first.
      await add('third', `${own}, '${kind}', ${LATER}, null`)
      await add('second', `${own}, '${kind}', ${LATER}, null`)
      await add('first', `${own}, '${kind}', ${LATER}, null`)
      await add('other kind', `${own}, '${otherKind}', ${LATER}, null`)
      await add('revoked', `${own}, '${kind}', ${LATER}, clock_now()`)
      await add('ended', `${own}, '${kind}', clock_now(), null`)
      await add('of the other', `${other}, '${kind}', ${LATER}, null`)
      const found = await find(tx, kind, 'OWN')
      expect(found).toMatchObject({ id: own, partner_code: 'OWN' })
      expect(found!.secrets!.map(({ hmac }) => hmac)).toEqual(['first', 'second'])
      expect(await find(tx, kind, 'UNKNOWN')).toBeUndefined()
    }))

  test('reads the newest usage of the partner, if it has a quota of its own', () =>
    rolledBack(database, async (tx) => {
      for (const [code, limits] of Object.entries({ LIMITED: { per_day: 10 }, UNLIMITED: {} })) {
        const { id } = await addWithCode(tx, code, limits)
        await sql`
          insert into partner_usage values (${id}, '2000-01-01', 1), (${id}, '2000-01-02', 2)`.execute(tx)
      }
      const { id: other } = await addPartner(tx)
      await sql`insert into partner_usage values (${other}, '2000-01-03', 3)`.execute(tx)
      expect((await find(tx, kind, 'LIMITED'))!.usage).toEqual({ day: '2000-01-02', used: 2 })
      expect((await find(tx, kind, 'UNLIMITED'))!.usage).toBeNull()
    }))

  test('reads no row of another partner, however many partners there are', () =>
    rolledBack(database, async (tx) => {
      for (let count = 0; count < 20; count++) await addWithCode(tx, `P${count}`)
      const countRead = async () => {
        const [row] = await read<{ count: number }>(
          tx,
          `select seq_tup_read + idx_tup_fetch as count from pg_stat_xact_user_tables
            where relname = 'partner'`,
        )
        return row!.count
      }
      const before = await countRead()
      expect((await find(tx, kind, 'P7'))?.partner_code).toBe('P7')
      expect((await countRead()) - before).toBe(1)
    }))
})
