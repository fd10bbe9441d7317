// Which stored values still need a key. A key that no value needs may be removed.
import { expect, test } from 'vitest'
import { addUpKeyCounts, countWithOldKeys, findWithOldKeys } from '../../src/citizens/rewrap-citizens.sql.ts'
import { countByKey } from '../../src/keys/list-keys/list-keys.sql.ts'
import { addCitizen, addPartner, read } from '../kit/rows.ts'
import { openDatabaseForFile } from '../kit/statement-database.ts'
import { rolledBack } from '../kit/stopped-clock.ts'

const database = await openDatabaseForFile()

const LATER = `clock_now() + interval '1 s'`

test('countByKey counts values in use: the receipts of erased citizens, and none that is used, revoked or erased, or whose time ends now', () =>
  rolledBack(database, async (tx) => {
    const before = await countByKey(tx)
    const [{ id: partner }, { id: other }] = [await addPartner(tx), await addPartner(tx)]
    const { id: citizen } = await addCitizen(tx, { uniqid_hmac: 'citizen.', data_key: 'data-key.' })
    await addCitizen(tx, {
      uniqid_hmac: 'erased-citizen.',
      data_key: null,
      erased_uniqid_hmac: 'pepper-of-receipt.',
    })
    await read(
      tx,
      `insert into credential (partner_id, kind, hmac, expires_at, revoked_at)
       values (${partner}, 'secret_token', 'secret.', ${LATER}, null),
              (${partner}, 'secret_token', 'revoked-secret.', ${LATER}, clock_now()),
              (${partner}, 'secret_token', 'ended-secret.', clock_now(), null)`,
    )
    await read(
      tx,
      `insert into qr_code (hmac, citizen_id, purpose, record_id, tracking_no, expires_at, used_at)
       values ('qr.', ${citizen}, 'share', -1, 'T1', ${LATER}, null),
              ('used-qr.', ${citizen}, 'share', -2, 'T2', ${LATER}, clock_now()),
              ('ended-qr.', ${citizen}, 'share', -3, 'T3', clock_now(), null)`,
    )
    await read(
      tx,
      `with code as (
         insert into exchange_code (hmac, partner_id, citizen_id, scope, expires_at, redeemed_at)
         values ('code.', ${partner}, ${citizen}, '', ${LATER}, null),
                ('redeemed-code.', ${partner}, ${citizen}, '', ${LATER}, clock_now()),
                ('ended-code.', ${partner}, ${citizen}, '', clock_now(), null) returning *
       )
       insert into access_token (hmac, exchange_code_id, partner_id, citizen_id, credential_id, scope,
                                 expires_at, used_at)
       select replace(hmac, 'code', 'token'), id, partner_id, citizen_id, 0, '', expires_at, redeemed_at
         from code`,
    )
    await read(
      tx,
      `insert into webhook_secret (partner_id, salt, previous_until)
       values (${partner}, 'oldest-salt.', null), (${partner}, 'previous-salt.', null),
              (${partner}, 'newest-salt.', ${LATER}),
              (${other}, 'ended-salt.', null), (${other}, 'only-salt.', clock_now())`,
    )
    await addUpKeyCounts(tx)
    const added = [...(await countByKey(tx))].filter(([kid, count]) => count !== before.get(kid))
    expect(added.toSorted(([a], [b]) => (a < b ? -1 : 1))).toEqual([
      ['citizen', 1],
      ['code', 1],
      ['data-key', 1],
      ['newest-salt', 1],
      ['only-salt', 1],
      ['pepper-of-receipt', 1],
      ['previous-salt', 1],
      ['qr', 1],
      ['secret', 1],
      ['token', 1],
    ])
  }))

test('the counts of citizens follow each insert, change, erasure and deletion', () =>
  rolledBack(database, async (tx) => {
    const count = async () => {
      const counts = await countByKey(tx)
      await addUpKeyCounts(tx)
      expect(await countByKey(tx)).toEqual(counts)
      return ['p1', 'p2', 'w1', 'w2'].map((kid) => counts.get(kid) ?? 0)
    }
    const citizens = [
      await addCitizen(tx, { uniqid_hmac: 'p1.a', data_key: 'w1.a' }),
      await addCitizen(tx, { uniqid_hmac: 'p1.b', data_key: 'w1.b' }),
      await addCitizen(tx, { uniqid_hmac: 'p2.c', data_key: 'w1.c' }),
    ]
    const ids = citizens.map(({ id }) => id)
    expect(await count()).toEqual([2, 1, 3, 0])
    const old = async () => {
      const found = await findWithOldKeys(tx, 'w1', 'p2', 1_000, [])
      expect(await countWithOldKeys(tx, 'w1', 'p2')).toBe(found.length)
      return found.map(({ id }) => id).filter((id) => ids.includes(id))
    }
    expect((await old()).toSorted((a, b) => a - b)).toEqual(ids.slice(0, 2))
    await read(tx, `update citizen set frozen = true, profile = 'new' where id = ${ids[0]}`)
    expect(await count()).toEqual([2, 1, 3, 0])
    await read(tx, `update citizen set uniqid_hmac = 'p2.a', data_key = 'w2.a' where id = ${ids[0]}`)
    expect(await count()).toEqual([1, 2, 2, 1])
    await read(tx, `update citizen set data_key = null where id = ${ids[1]}`)
    expect(await count()).toEqual([0, 2, 1, 1])
    expect(await old()).toEqual([ids[0]])
    await read(tx, `delete from citizen where id = ${ids[2]}`)
    expect(await count()).toEqual([0, 1, 0, 1])
  }))
