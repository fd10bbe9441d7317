// The statements on one partner change this partner, and audit it.
import { expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { updatePartner } from '../../src/partners/change-partner/change-partner.sql.ts'
import {
  insertPartner,
  type NewPartner,
  replacePartner,
} from '../../src/partners/create-partner/create-partner.sql.ts'
import { findPartners } from '../../src/partners/list-partners/list-partners.sql.ts'
import { setCallbackUrl } from '../../src/partners/set-callback/set-callback.sql.ts'
import { setPartnerStatus } from '../../src/partners/status/partner-status.sql.ts'
import { rotateStoredWebhookSecret } from '../../src/webhooks/webhook-secret.sql.ts'
import { writerIn } from '../kit/partner-writer.ts'
import { addPartner, read } from '../kit/rows.ts'
import { openDatabaseForFile } from '../kit/statement-database.ts'
import { rolledBack } from '../kit/stopped-clock.ts'

const database = await openDatabaseForFile()

const action = { kind: 'partner.changed', actor: 'admin', requestId: 'request' }
const AUDIT = 'select kind, partner_id, actor, request_id from audit_event order by id'

test.each<{ what: string; run: (db: Database, code: string) => Promise<unknown> }>([
  {
    what: 'setPartnerStatus',
    run: (db, code) => setPartnerStatus(writerIn(db), code, 'SUSPENDED', action),
  },
  { what: 'setCallbackUrl', run: (db, code) => setCallbackUrl(writerIn(db), code, null, action) },
  { what: 'updatePartner', run: (db, code) => updatePartner(writerIn(db), code, { name: 'new' }, action) },
  {
    what: 'rotateStoredWebhookSecret',
    run: (db, code) => rotateStoredWebhookSecret(db, code, 'salt', null, action),
  },
])('$what changes and audits the partner, and no other', async ({ run }) => {
  await rolledBack(database, async (tx) => {
    const callback_url = 'https://partner.example'
    const { id: own } = await addPartner(tx, { partner_code: 'OWN', callback_url })
    const { id: other } = await addPartner(tx, { partner_code: 'OTHER', callback_url })
    await read(tx, 'insert into callback_endpoint select id, clock_now(), true from partner')
    const stateOf = (id: number) =>
      read(
        tx,
        `select p.*, e.*, salt from partner p join callback_endpoint e on e.partner_id = p.id
           left join webhook_secret w on w.partner_id = p.id where p.id = ${id}`,
      )
    const [before, beforeOfOther] = [await stateOf(own), await stateOf(other)]
    await run(tx, 'OWN')
    expect(await stateOf(own)).not.toEqual(before)
    expect(await stateOf(other)).toEqual(beforeOfOther)
    expect(await read(tx, AUDIT)).toEqual([
      { kind: 'partner.changed', partner_id: own, actor: 'admin', request_id: 'request' },
    ])
    await run(tx, 'UNKNOWN')
    expect(await read(tx, AUDIT)).toHaveLength(1)
  })
})

test('setCallbackUrl forgets the failures of the endpoint', () =>
  rolledBack(database, async (tx) => {
    const { id: own } = await addPartner(tx, { partner_code: 'OWN' })
    await addPartner(tx, { partner_code: 'OTHER' })
    await read(tx, 'insert into callback_endpoint select id, clock_now(), true from partner')
    await setCallbackUrl(writerIn(tx), 'OWN', 'https://new.example', action)
    const failing = 'is_failing and disabled_at is not null as is_failing'
    expect(
      await read(tx, `select partner_id = ${own} as is_own, ${failing} from callback_endpoint order by 1`),
    ).toEqual([
      { is_own: false, is_failing: true },
      { is_own: true, is_failing: false },
    ])
  }))

test('setCallbackUrl forgets nothing, and audits nothing, for another ETag', () =>
  rolledBack(database, async (tx) => {
    const { id } = await addPartner(tx, { partner_code: 'OWN' })
    await read(tx, `insert into callback_endpoint values (${id}, clock_now(), true)`)
    const partner = await setCallbackUrl(writerIn(tx), 'OWN', 'https://new.example', action, ['"other"'])
    expect(partner).toMatchObject({ is_match: false, callback_url: null })
    expect(await read(tx, 'select is_failing from callback_endpoint')).toEqual([{ is_failing: true }])
    expect(await read(tx, AUDIT)).toEqual([])
  }))

const newPartner = (code: string): NewPartner => ({
  partner_code: code,
  secret_code: `secret-${code}`,
  name: '',
  purpose: '',
  scopes: [],
  callback_url: null,
  sso_url: null,
  ip_allow_list: [],
  limits: {} as never,
  created_at: new Date(),
})
const secretsOf = (hmac: string) => ({
  hmacs: [{ kind: 'secret_token', hmac } as const],
  expiresAt: new Date('2100-01-01'),
  webhookSalt: '',
})
const readMacs = async (db: Database, code: string) =>
  (
    await read<{ hmac: string }>(
      db,
      `select hmac from credential where partner_id = (select id from partner where partner_code = '${code}')`,
    )
  ).map(({ hmac }) => hmac)

test('insertPartner, replacePartner: the secrets of another partner do not stand for those of this one', () =>
  rolledBack(database, async (tx) => {
    await insertPartner(tx, newPartner('TWIN'), secretsOf('same'))
    expect(await insertPartner(tx, newPartner('PLAIN'), secretsOf('same'))).toBe(true)
    expect(await insertPartner(tx, newPartner('AUDITED'), secretsOf('same'), action)).toBe(true)
    await replacePartner(tx, newPartner('REPLACED'), secretsOf('first'))
    await replacePartner(tx, newPartner('REPLACED'), secretsOf('same'))
    for (const code of ['TWIN', 'PLAIN', 'AUDITED', 'REPLACED'])
      expect(await readMacs(tx, code)).toEqual(['same'])
    expect(await insertPartner(tx, newPartner('TWIN'), secretsOf('new'), action)).toBe(false)
    expect(await read(tx, AUDIT)).toHaveLength(1)
  }))

test('replacePartner deletes a first secret that is revoked, and inserts it again', () =>
  rolledBack(database, async (tx) => {
    await replacePartner(tx, newPartner('OWN'), secretsOf('first'))
    await read(tx, 'update credential set revoked_at = clock_now()')
    await replacePartner(tx, newPartner('OWN'), secretsOf('first'))
    expect(await read(tx, 'select hmac, revoked_at from credential')).toEqual([
      { hmac: 'first', revoked_at: null },
    ])
  }))

test('findPartners without a filter finds every partner, and those after the last one of a page', () =>
  rolledBack(database, async (tx) => {
    for (const code of ['B', 'A', 'C']) await addPartner(tx, { partner_code: code })
    await setPartnerStatus(writerIn(tx), 'B', 'SUSPENDED', action)
    const none = { status: undefined, text: undefined, after: undefined, limit: 10 }
    const find = async (filter: object) =>
      (await findPartners(tx, { ...none, ...filter })).map(({ partner_code }) => partner_code).join('')
    expect(await find({})).toBe('ABC')
    expect(await find({ text: 'b' })).toBe('B')
    expect(await find({ status: 'ACTIVE' })).toBe('AC')
    expect(await find({ after: 'A' })).toBe('BC')
  }))
