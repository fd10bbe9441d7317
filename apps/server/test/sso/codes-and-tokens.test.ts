// The statements on exchange codes and access tokens judge each of them by its own partner and citizen, at
// the time at which they hold its lock.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { consumeToken, findToken } from '../../src/sso/authenticate/authenticate.sql.ts'
import { redeemExchangeCode } from '../../src/sso/generate-token/generate-token.sql.ts'
import { auditRefusedCode } from '../../src/sso/generate-token/refused-code.sql.ts'
import { insertExchangeCode } from '../../src/sso/issue-exchange-code/issue-exchange-code.sql.ts'
import { startServiceForFile } from '../kit/api-client.ts'
import { whileHeld } from '../kit/blocked-statements.ts'
import { DROP_AUDIT_ROWS } from '../kit/dropped-audit.ts'
import { interleave } from '../kit/interleave.ts'
import {
  addCitizen,
  addCode,
  addCredential,
  addParties,
  addPartner,
  addToken,
  NOW,
  type PartnerRow,
  read,
  secondsFromNow,
} from '../kit/rows.ts'
import { rolledBack } from '../kit/stopped-clock.ts'

const { service } = await startServiceForFile()

const LIFETIME = secondsFromNow(30)

/** Redeems codes at once; returns whether each gave a token. */
async function redeem(db: Database, partner: PartnerRow, hmacs: string[]): Promise<boolean[]> {
  const { id: credentialId } = await addCredential(db, partner.id, { kind: 'partner_secret' })
  const access = { partnerId: partner.id, credentialId, accessVersion: 1 }
  const redemptions = hmacs.map((hmac) =>
    redeemExchangeCode(db, {
      ...access,
      codeHmacs: [hmac],
      challenge: null,
      tokenHmac: randomUUID(),
      requestId: 'test',
      tokenTtlSeconds: 60,
    }),
  )
  return (await Promise.all(redemptions)).map((each) => each!.is_redeemed)
}

describe('findToken', () => {
  const VALID = { is_expired: false, is_used: false, is_revoked: false, is_permitted: true }
  test.each([
    { what: 'control: a valid token', changed: {} },
    { what: 'a token at its end', token: { expires_at: NOW }, changed: { is_expired: true } },
    { what: 'a used token', token: { used_at: NOW }, changed: { is_used: true } },
    { what: 'a revoked token', token: { revoked_at: NOW }, changed: { is_revoked: true } },
    {
      what: 'a token from before a restore',
      token: { epoch: sql`current_epoch() - 1` },
      changed: { is_revoked: true },
    },
    { what: 'a secret at its end', secret: { expires_at: NOW }, changed: { is_revoked: true } },
    { what: 'a revoked secret', secret: { revoked_at: NOW }, changed: { is_revoked: true } },
    { what: 'a frozen citizen', citizen: { frozen: true }, changed: { is_permitted: false } },
    {
      what: 'a citizen that blocks the partner',
      citizen: { blocked_partner_ids: sql`array(select id from partner)` },
      changed: { is_permitted: false },
    },
  ])('$what', ({ token = {}, secret = {}, citizen = {}, changed }) =>
    rolledBack(service.db, async (tx) => {
      const partner = await addPartner(tx)
      const code = await addCode(tx, partner, await addCitizen(tx, citizen))
      const credential = await addCredential(tx, partner.id, secret)
      const { hmac } = await addToken(tx, code, credential, token)
      expect(await findToken(tx, { hmacs: [hmac] })).toMatchObject({ ...VALID, ...changed })
    }),
  )

  test('gives each token of a batch its own partner and citizen', () =>
    rolledBack(service.db, async (tx) => {
      const addresses = ['192.0.2.1', '192.0.2.2']
      const finding = []
      for (const address of addresses) {
        const partner = await addPartner(tx, { ip_allow_list: [address] })
        const code = await addCode(tx, partner, await addCitizen(tx, { profile: address }))
        const { hmac } = await addToken(tx, code, await addCredential(tx, partner.id))
        finding.push(() => findToken(tx, { hmacs: [hmac] }))
      }
      const found = await Promise.all(finding.map((find) => find()))
      expect(found).toMatchObject(addresses.map((each) => ({ ip_allow_list: [each], profile: each })))
    }))
})

describe('redeemExchangeCode', () => {
  test('redeems the codes that are presented, of the partner that presents them', () =>
    rolledBack(service.db, async (tx) => {
      const { partner, otherPartner, citizen } = await addParties(tx)
      const frozen = await addCitizen(tx, { frozen: true })
      const [own, untouched, foreign, ofFrozen] = [
        await addCode(tx, partner, citizen),
        await addCode(tx, partner, citizen),
        await addCode(tx, otherPartner, citizen),
        await addCode(tx, partner, frozen),
      ]
      const hmacs = [own, foreign, ofFrozen].map(({ hmac }) => hmac)
      expect(await redeem(tx, partner, [...hmacs, 'unknown'])).toEqual([true, false, false, false])
      const redeemed = `select id from exchange_code where redeemed_at is not null
                           and id in (${[own, untouched, foreign, ofFrozen].map(({ id }) => id).join()})`
      expect(await read(tx, redeemed)).toEqual([{ id: own.id }])
    }))
})

describe('a statement on the citizen of a code or token', () => {
  async function prepare() {
    const { db } = service
    const { partner, citizen } = await addParties(db)
    const credential = await addCredential(db, partner.id, { kind: 'partner_secret' })
    const code = await addCode(db, partner, citizen, { expires_at: LIFETIME })
    const token = await addToken(db, await addCode(db, partner, citizen), credential, {
      expires_at: LIFETIME,
    })
    return { partner, citizen, code, token }
  }
  type Prepared = Awaited<ReturnType<typeof prepare>>
  const RUNS = {
    redeemExchangeCode: async (tx: Database, { partner, code }: Prepared) =>
      (await redeem(tx, partner, [code.hmac]))[0],
    consumeToken: async (tx: Database, { token }: Prepared) => {
      const consumption = { tokenHmacs: [token.hmac], accessVersion: 1, requestId: 'test', traceparent: null }
      return (await consumeToken(tx, consumption)) !== undefined
    },
    insertExchangeCode: async (tx: Database, { partner, citizen }: Prepared) => {
      const code = { hmac: randomUUID(), challenge: undefined, hasState: false, ttlSeconds: 60 }
      const issued = await insertExchangeCode(tx, [citizen.uniqid_hmac], partner.partner_code, code, 'test')
      return issued!.is_permitted
    },
  }
  const NAMES = Object.keys(RUNS) as (keyof typeof RUNS)[]
  test.each(NAMES)('%s locks no row of the citizen', async (name) => {
    const prepared = await prepare()
    const rows = `select from citizen where id = ${prepared.citizen.id} for update`
    expect(await whileHeld(service.db, rows, (tx) => RUNS[name](tx, prepared))).toBe(true)
  })

  const lock = ({ citizen }: Prepared) => `select pg_advisory_xact_lock(1, ${citizen.id})`
  const freeze = (prepared: Prepared) =>
    `${lock(prepared)}; update citizen set frozen = true where id = ${prepared.citizen.id}`
  type Case = { name: keyof typeof RUNS; held: (prepared: Prepared) => string; seconds?: number }

  const CASES: (Case & { what: string; isDone?: boolean })[] = [
    { name: 'redeemExchangeCode', what: 'the citizen freezes', held: freeze },
    { name: 'consumeToken', what: 'the citizen freezes', held: freeze },
    { name: 'insertExchangeCode', what: 'the citizen freezes', held: freeze },
    { name: 'redeemExchangeCode', what: 'the code expires', held: lock, seconds: 31 },
    { name: 'consumeToken', what: 'the token expires', held: lock, seconds: 31 },
    { name: 'redeemExchangeCode', what: 'nothing changes (control)', held: lock, isDone: true },
    { name: 'consumeToken', what: 'nothing changes (control)', held: lock, isDone: true },
  ]
  test.each(CASES)(
    'that waited, while $what: $name',
    async ({ name, held, seconds = 0, isDone: expected = false }) => {
      const prepared = await prepare()
      const [, isDone] = await interleave(
        service.db,
        { name: 'the first commits', meanwhile: () => service.advance(seconds) },
        (tx) => read(tx, held(prepared)),
        (tx) => RUNS[name](tx, prepared),
      )
      expect(isDone).toBe(expected)
    },
  )
})

test('insertExchangeCode fails if the audit drops its row', () =>
  rolledBack(service.db, async (tx) => {
    const { partner, citizen } = await addParties(tx)
    await read(tx, DROP_AUDIT_ROWS)
    const code = { hmac: 'new', challenge: undefined, hasState: false, ttlSeconds: 60 }
    const issuing = insertExchangeCode(tx, [citizen.uniqid_hmac], partner.partner_code, code, 'test')
    await expect(issuing).rejects.toThrow('the audit took 0 of 1 rows')
  }))

describe('auditRefusedCode', () => {
  test.each([
    { what: 'its own partner: revokes the token', isForeign: false, kind: 'code.reused' },
    {
      what: 'another partner: leaves the token valid',
      isForeign: true,
      kind: 'code.presented_by_other_partner',
    },
  ])('a redeemed code sent by $what', ({ isForeign, kind }) =>
    rolledBack(service.db, async (tx) => {
      const { partner, otherPartner, citizen } = await addParties(tx)
      const code = await addCode(tx, partner, citizen, { redeemed_at: secondsFromNow(-2) })
      const token = await addToken(tx, code, await addCredential(tx, partner.id))
      const sender = isForeign ? otherPartner : partner
      await auditRefusedCode(tx, sender.id, [code.hmac], 'refused')
      const audited = `select kind, partner_id, citizen_id from audit_event where request_id = 'refused'`
      expect(await read(tx, audited)).toEqual([{ kind, partner_id: sender.id, citizen_id: citizen.id }])
      const valid = `select id from access_token where id = ${token.id} and revoked_at is null`
      expect(await read(tx, valid)).toHaveLength(isForeign ? 1 : 0)
    }),
  )

  test('another partner that sends a code again within an hour gets no further audit row', () =>
    rolledBack(service.db, async (tx) => {
      const { partner, otherPartner, citizen } = await addParties(tx)
      const code = await addCode(tx, partner, citizen)
      const third = await addPartner(tx)
      const rowsAfter = async (sender: { id: number }) => {
        await auditRefusedCode(tx, sender.id, [code.hmac], 'refused')
        return read(tx, `select from audit_event where request_id = 'refused'`)
      }
      await read(
        tx,
        `insert into audit_event (occurred_at, kind, partner_id, citizen_id, request_id)
         values (clock_now() - interval '61 minutes', 'code.presented_by_other_partner', ${otherPartner.id},
                 ${citizen.id}, 'earlier')`,
      )
      expect(await rowsAfter(otherPartner)).toHaveLength(1)
      expect(await rowsAfter(otherPartner)).toHaveLength(1)
      expect(await rowsAfter(third)).toHaveLength(2)
    }))
})
