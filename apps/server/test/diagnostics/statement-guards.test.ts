// What the statements on diagnoses disclose to a partner about a value that it presented.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { findDiagnosis, lookUpValues } from '../../src/diagnostics/diagnosis.sql.ts'
import { addCitizen, addPartner, read } from '../kit/rows.ts'
import { openDatabaseForFile } from '../kit/statement-database.ts'
import { rolledBack } from '../kit/stopped-clock.ts'

const database = await openDatabaseForFile()

describe('lookUpValues', () => {
  type Value = { citizen: number; owner: number; isUsed?: boolean; isRevoked?: boolean }

  const timeIf = (isPast: boolean | undefined) => sql.raw(isPast ? 'clock_now()' : 'null')
  let lastId = 0

  /** A used QR value has a record of its owner. */
  async function addQrValue(db: Database, hmac: string, { citizen, owner, isUsed }: Value): Promise<void> {
    const id = --lastId
    await sql`
      insert into qr_code (hmac, citizen_id, purpose, record_id, tracking_no, expires_at, used_at)
      values (${hmac}, ${citizen}, 'inquire', ${id}, ${hmac}, 'infinity', ${timeIf(isUsed)})`.execute(db)
    if (isUsed)
      await sql`
        insert into authorization_record (id, partner_id, citizen_id, tracking_no, scope, state, qr_value,
                                          requested_at, expires_at)
        values (${id}, ${owner}, ${citizen}, ${hmac}, 'PROFILE_INQUIRE', 'PENDING', '', clock_now(),
                'infinity')`.execute(db)
  }

  async function addExchangeCode(db: Database, hmac: string, { citizen, owner, isUsed }: Value) {
    const { rows } = await sql<{ id: number }>`
      insert into exchange_code (hmac, partner_id, citizen_id, scope, expires_at, redeemed_at)
      values (${hmac}, ${owner}, ${citizen}, '', 'infinity', ${timeIf(isUsed)}) returning id`.execute(db)
    return rows[0]!.id
  }

  async function addAccessToken(db: Database, hmac: string, value: Value): Promise<void> {
    const code = await addExchangeCode(db, `code of ${hmac}`, value)
    await sql`
      insert into access_token (hmac, exchange_code_id, partner_id, citizen_id, credential_id, scope,
                                expires_at, used_at, revoked_at)
      values (${hmac}, ${code}, ${value.owner}, ${value.citizen}, 0, '', 'infinity', ${timeIf(value.isUsed)},
              ${timeIf(value.isRevoked)})`.execute(db)
  }

  async function addAuthorizationCode(db: Database, hmac: string, { citizen, owner, isUsed }: Value) {
    await sql`
      insert into sign_in_request (id, partner_id, interaction_uid, browser_hmac, purpose, items, optional_items,
                                   comparison, expires_at, citizen_id, grant_hmac, disclosed_at)
      values (${hmac}, ${owner}, ${hmac}, '', '', '{}', '{}', '', 'infinity', ${citizen}, ${hmac},
              ${timeIf(isUsed)})`.execute(db)
    await sql`
      insert into oidc_state (model, id_hmac, content, grant_hmac, expires_at)
      values ('AuthorizationCode', ${hmac}, '', ${hmac}, 'infinity')`.execute(db)
  }

  /** The values that are found if the partner presents each of them as a value of this kind. */
  async function findAs(db: Database, partnerId: number, kind: string, hmacs: string[]): Promise<string[]> {
    const found = await lookUpValues(
      db,
      hmacs.map((hmac) => ({
        partner_id: partnerId,
        secret_code: null,
        partner_code: null,
        kind,
        hmacs: [hmac],
        ago_seconds: 0,
      })),
    )
    return hmacs.filter((_, index) => found.get(index)!.is_known)
  }

  async function addOwners(db: Database) {
    const [{ id: own }, { id: other }] = [await addPartner(db), await addPartner(db)]
    const { id: allowing } = await addCitizen(db)
    const { id: frozen } = await addCitizen(db, { frozen: true })
    const { id: blocking } = await addCitizen(db, { blocked_partner_ids: [own] })
    return { own, other, allowing, frozen, blocking }
  }

  test.each([
    {
      kind: 'qr_value',
      add: addQrValue,
      known: ['allowing', 'allowing, of the other', 'frozen, used', 'blocking, used'],
    },
    {
      kind: 'exchange_code',
      add: addExchangeCode,
      known: ['allowing', 'allowing, of the other', 'frozen, used', 'blocking, used'],
    },
    {
      kind: 'access_token',
      add: addAccessToken,
      // Each token that was used or revoked was issued to its holder.
      known: [
        'allowing',
        'allowing, of the other',
        'frozen, used',
        'frozen, used by the other',
        'frozen, revoked',
        'blocking, used',
        'blocking, used by the other',
        'blocking, revoked',
      ],
    },
    {
      kind: 'authorization_code',
      add: addAuthorizationCode,
      // The library itself says that a code was used.
      known: ['allowing', 'allowing, of the other'],
    },
  ])(
    'finds a $kind if its citizen allows it, or if it was used by the partner',
    async ({ kind, add, known }) => {
      await rolledBack(database, async (tx) => {
        const { own, other, allowing, frozen, blocking } = await addOwners(tx)
        const values: Record<string, Value> = {
          allowing: { citizen: allowing, owner: own },
          'allowing, of the other': { citizen: allowing, owner: other },
        }
        for (const [name, citizen] of Object.entries({ frozen, blocking }))
          Object.assign(values, {
            [name]: { citizen, owner: own },
            [`${name}, used`]: { citizen, owner: own, isUsed: true },
            [`${name}, used by the other`]: { citizen, owner: other, isUsed: true },
            [`${name}, revoked`]: { citizen, owner: own, isRevoked: true },
          })
        for (const [hmac, value] of Object.entries(values)) await add(tx, hmac, value)
        const hmacs = Object.keys(values)
        expect(await findAs(tx, own, kind, hmacs)).toEqual(known)
        for (const otherKind of ['qr_value', 'exchange_code', 'access_token'].filter((each) => each !== kind))
          expect(await findAs(tx, own, otherKind, hmacs)).toEqual([])
      })
    },
  )

  test('finds a secret of the partner, if it is of the presented kind', () =>
    rolledBack(database, async (tx) => {
      const [{ id: own }, { id: other }] = [await addPartner(tx), await addPartner(tx)]
      await sql`
        insert into credential (partner_id, kind, hmac, expires_at)
        values (${own}, 'secret_token', 'token', 'infinity'),
               (${own}, 'partner_secret', 'secret', 'infinity'),
               (${other}, 'secret_token', 'token of the other', 'infinity')`.execute(tx)
      const hmacs = ['token', 'secret', 'token of the other']
      expect(await findAs(tx, own, 'secret_token', hmacs)).toEqual(['token'])
      expect(await findAs(tx, own, 'partner_secret', hmacs)).toEqual(['secret'])
    }))
})

describe('a diagnosis', () => {
  const addDiagnosis = (db: Database, partnerId: number, requestId: string, occurredAt: string) =>
    read(
      db,
      `insert into diagnosis values ('${requestId}', ${partnerId}, null, ${occurredAt}, 401, '', '[]')`,
    )

  test('findDiagnosis finds one of the partner until its time ends, and not at its end', () =>
    rolledBack(database, async (tx) => {
      const [{ id: own }, { id: other }] = [await addPartner(tx), await addPartner(tx)]
      await addDiagnosis(tx, own, 'just kept', `clock_now() - interval '2 hours' + interval '1 ms'`)
      await addDiagnosis(tx, own, 'just ended', `clock_now() - interval '2 hours'`)
      await addDiagnosis(tx, other, 'of the other', 'clock_now()')
      const ids = ['just kept', 'just ended', 'of the other']
      const found = await Promise.all(ids.map((id) => findDiagnosis(tx, own, id, 2)))
      expect(found.map((row) => row?.request_id)).toEqual(['just kept', undefined, undefined])
    }))
})
