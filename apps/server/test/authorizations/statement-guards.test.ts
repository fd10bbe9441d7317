// Each statement that discloses or redeems checks every permission itself, when it runs.
// Nothing that the server read earlier counts.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createPendingRecord, createViewedRecord } from '../../src/authorizations/requests/store.ts'
import { inquireRecord, recordDisclosure } from '../../src/authorizations/store.ts'
import type { Database } from '../../src/database/connect.ts'
import type { Access } from '../../src/partners/partner.ts'
import { consumeToken, redeemExchangeCode } from '../../src/sso/store.ts'
import { startServiceForFile } from '../kit/api-client.ts'

const { service, api } = await startServiceForFile()

/** Returns whether the statement disclosed or redeemed something. */
type Run = (db: Database, access: Access) => Promise<boolean>
type Statement = {
  name: string
  kind: 'secret_token' | 'partner_secret'
  scope: string
  prepare: () => Promise<Run>
}

async function newest(table: 'qr_code' | 'exchange_code' | 'access_token') {
  const query = sql<{ mac: string }>`select mac from ${sql.table(table)} order by id desc limit 1`
  return [(await query.execute(service.db)).rows[0]!.mac]
}

async function accepted() {
  const trackingNo = await api.createPendingRecord()
  expect((await api.accept(trackingNo)).status).toBe(200)
  const query = sql<{ id: number }>`select id from authorization_record where tracking_no = ${trackingNo}`
  return { trackingNo, id: (await query.execute(service.db)).rows[0]!.id }
}

/** These statements use nothing up, so they may run again. */
const REPEATABLE: Statement[] = [
  {
    name: 'inquireRecord',
    kind: 'secret_token',
    scope: 'PROFILE_INQUIRE',
    prepare: async () => {
      const { trackingNo } = await accepted()
      const inquiry = { trackingNo, requestId: randomUUID(), timeZone: 'Asia/Manila' }
      return async (db, access) => (await inquireRecord(db, { ...access, ...inquiry }))!.snapshot !== null
    },
  },
  {
    name: 'recordDisclosure',
    kind: 'secret_token',
    scope: 'PROFILE_INQUIRE',
    prepare: async () => {
      const { id } = await accepted()
      return async (db, access) => (await recordDisclosure(db, id, access, randomUUID())).is_recorded
    },
  },
]

const SINGLE_USE: Statement[] = [
  {
    name: 'createPendingRecord',
    kind: 'secret_token',
    scope: 'PROFILE_INQUIRE',
    prepare: async () => {
      const qrValue = await api.issueQrValue('inquire')
      const opening = { qrValue, qrHmacs: await newest('qr_code'), requestId: randomUUID() }
      return async (db, access) =>
        (await createPendingRecord(db, { ...access, ...opening }, service.config)).id !== null
    },
  },
  {
    name: 'createViewedRecord',
    kind: 'secret_token',
    scope: 'PROFILE_VIEW',
    prepare: async () => {
      const qrValue = await api.issueQrValue('share')
      const viewing = {
        qrValue,
        qrHmacs: await newest('qr_code'),
        requestId: randomUUID(),
        traceparent: null,
        callback_url: null,
        snapshot: 'encrypted',
      }
      return async (db, access) => (await createViewedRecord(db, { ...access, ...viewing }, 3_600)).is_created
    },
  },
  {
    name: 'redeemExchangeCode',
    kind: 'partner_secret',
    scope: 'SSO_AUTHENTICATION',
    prepare: async () => {
      await api.issueExchangeCode()
      const redemption = {
        codeHmacs: await newest('exchange_code'),
        tokenHmac: randomUUID(),
        requestId: randomUUID(),
        tokenTtlSeconds: 300,
      }
      return async (db, access) => (await redeemExchangeCode(db, { ...access, ...redemption }))!.is_redeemed
    },
  },
  {
    name: 'consumeToken',
    kind: 'partner_secret',
    scope: 'SSO_AUTHENTICATION',
    prepare: async () => {
      await api.issueAccessToken()
      const tokenHmacs = await newest('access_token')
      // The row of the token names the credential.
      const consumption = { tokenHmacs, requestId: randomUUID(), traceparent: null }
      return async (db, { accessVersion }) =>
        (await consumeToken(db, { ...consumption, accessVersion })) !== undefined
    },
  },
]

async function accessNow(kind: Statement['kind']): Promise<Access> {
  const { rows } = await sql<Access>`
    select p.id as "partnerId", k.id as "credentialId", p.access_version as "accessVersion"
      from partner p join credential k on k.partner_id = p.id
     where p.partner_code = ${api.partner.partner_code} and k.kind = ${kind}`.execute(service.db)
  return rows[0]!
}

type Guard = { what: string; text: string; undo: string; isAccessOld?: boolean }

const GUARDS: (statement: Statement) => Guard[] = ({ scope, kind }) => [
  // These guards use the access version after the change, so that only the status or the scope can refuse.
  {
    what: 'the partner is suspended',
    text: `update partner set status = 'SUSPENDED'`,
    undo: `update partner set status = 'ACTIVE'`,
  },
  {
    what: 'the scope is withdrawn',
    text: `update partner set scopes = array_remove(scopes, '${scope}')`,
    undo: `update partner set scopes = array_append(scopes, '${scope}')`,
  },
  {
    what: 'the allow-list has changed since the caller was authenticated',
    text: `update partner set ip_allow_list = '{203.0.113.7}'`,
    undo: `update partner set ip_allow_list = '{}'`,
    isAccessOld: true,
  },
  {
    what: 'the secret is revoked',
    text: `update credential set revoked_at = clock_now() where kind = '${kind}'`,
    undo: 'update credential set revoked_at = null',
  },
  {
    what: 'the secret has expired',
    text: `update credential set expires_at = clock_now() - interval '1 second' where kind = '${kind}'`,
    undo: `update credential set expires_at = clock_now() + interval '1 year' where kind = '${kind}'`,
  },
  {
    what: 'the citizen has frozen everything',
    text: 'update citizen set frozen = true',
    undo: 'update citizen set frozen = false',
  },
  {
    what: 'the citizen has blocked the partner',
    text: 'update citizen set blocked_partner_ids = array(select id from partner)',
    undo: `update citizen set blocked_partner_ids = '{}'`,
  },
]

/** After a restore, a value that the backup shows as unused may have been used after the backup. */
const RESTORED: Guard = {
  what: 'a backup was restored',
  text: 'update installation set epoch = epoch + 1',
  undo: 'update installation set epoch = epoch - 1',
}

const cases = (statements: Statement[], more: Guard[]) =>
  statements.flatMap((statement) =>
    [...GUARDS(statement), ...more].map((guard) => ({ ...statement, ...guard })),
  )

describe('a statement refuses, and uses nothing up, when', () => {
  const all = [...cases(REPEATABLE, []), ...cases(SINGLE_USE, [RESTORED])]
  test.each(all)('$name: $what', async ({ kind, prepare, text, undo, isAccessOld }) => {
    const run = await prepare()
    const before = await accessNow(kind)
    const count = () =>
      service.countRows('audit_event', 'callback_event', 'authorization_record', 'access_token')
    await sql.raw(text).execute(service.db)
    const counted = await count()
    const isDone = await run(service.db, isAccessOld ? before : await accessNow(kind))
    const countedAfter = await count()
    await sql.raw(undo).execute(service.db)
    expect([isDone, countedAfter]).toEqual([false, counted])
    // Control: after the undo, the same statement succeeds.
    expect(await run(service.db, await accessNow(kind))).toBe(true)
  })

  test.each([...REPEATABLE, ...SINGLE_USE.filter(({ name }) => name !== 'consumeToken')])(
    '$name: the credential belongs to another partner',
    async ({ kind, prepare }) => {
      const run = await prepare()
      const access = await accessNow(kind)
      const { rows } = await sql<{ id: number }>`
        with other as (
          insert into partner (partner_code, secret_code, name, purpose, scopes, ip_allow_list, limits)
          select ${randomUUID()}, ${randomUUID()}, name, purpose, scopes, ip_allow_list, limits
            from partner limit 1 returning id
        )
        insert into credential (partner_id, kind, mac, expires_at)
        select id, ${kind}, 'mac', 'infinity' from other returning id`.execute(service.db)
      expect(await run(service.db, { ...access, credentialId: rows[0]!.id })).toBe(false)
      expect(await run(service.db, access)).toBe(true)
    },
  )
})

describe('of two concurrent statements, the second waits for the first', () => {
  const isAnyBlocked = async () =>
    (
      await sql`
        select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`.execute(service.db)
    ).rows.length > 0

  /**
   * The first statement has done its work, and commits or rolls back when the second statement waits for its
   * row.
   */
  async function second({ kind, prepare }: Statement, end: 'commit' | 'rollback'): Promise<boolean> {
    const [run, access] = [await prepare(), await accessNow(kind)]
    const first = await service.db.startTransaction().execute()
    expect(await run(first, access)).toBe(true)
    const waiting = run(service.db, access)
    while (!(await isAnyBlocked())) await new Promise(setImmediate)
    await first[end]().execute()
    return waiting
  }

  test.each(SINGLE_USE)('$name: the second does nothing after the first commits', async (statement) => {
    expect(await second(statement, 'commit')).toBe(false)
  })

  test.each(SINGLE_USE)('$name: the second does its work after the first rolls back', async (statement) => {
    expect(await second(statement, 'rollback')).toBe(true)
  })
})
