// The statements that disclose a profile, redeem a code or use a value up. A test runs each of them.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { writeDisclosure } from '../../src/authorizations/disclosure-commit.sql.ts'
import { inquireRecord } from '../../src/authorizations/inquire/inquire.sql.ts'
import { createViewedRecord } from '../../src/authorizations/profile-by-qr/profile-by-qr.sql.ts'
import { createPendingRecord } from '../../src/authorizations/request-authorization/request-authorization.sql.ts'
import type { Database } from '../../src/database/connect.ts'
import type { Access } from '../../src/partners/partner.ts'
import { mintTrackingNo } from '../../src/secrets/tokens.ts'
import { consumeToken } from '../../src/sso/authenticate/authenticate.sql.ts'
import { redeemExchangeCode } from '../../src/sso/generate-token/generate-token.sql.ts'
import type { TestService } from '../../src/testing/start-service.ts'
import type { ApiClient } from './api-client.ts'

/** Returns whether the statement disclosed or redeemed something. */
export type Run = (db: Database, access: Access) => Promise<boolean>
export type Statement = {
  name: string
  kind: 'secret_token' | 'partner_secret'
  scope: string
  /** The column that says until when the statement may disclose or redeem. */
  lifetime: { table: string; column: string }
  prepare: () => Promise<Run>
}

export function disclosingStatements(service: TestService, api: ApiClient) {
  async function newest(table: 'qr_code' | 'exchange_code' | 'access_token') {
    const query = sql<{ hmac: string }>`select hmac from ${sql.table(table)} order by id desc limit 1`
    return [(await query.execute(service.db)).rows[0]!.hmac]
  }

  async function accepted() {
    const trackingNo = await api.createPendingRecord()
    expect((await api.accept(trackingNo)).status).toBe(200)
    const query = sql<{ id: number }>`select id from authorization_record where tracking_no = ${trackingNo}`
    return { trackingNo, id: (await query.execute(service.db)).rows[0]!.id }
  }

  /** These statements use nothing up, so they may run again. */
  const repeatable: Statement[] = [
    {
      name: 'inquireRecord',
      kind: 'secret_token',
      scope: 'PROFILE_INQUIRE',
      lifetime: { table: 'authorization_record', column: 'snapshot_until' },
      prepare: async () => {
        const { trackingNo } = await accepted()
        const inquiry = { trackingNo, requestId: randomUUID(), timeZone: 'Asia/Manila' }
        return async (db, access) => (await inquireRecord(db, { ...access, ...inquiry }))!.snapshot !== null
      },
    },
    {
      name: 'writeDisclosure',
      kind: 'secret_token',
      scope: 'PROFILE_INQUIRE',
      lifetime: { table: 'authorization_record', column: 'snapshot_until' },
      prepare: async () => {
        const { trackingNo } = await accepted()
        return async (db, access) => (await writeDisclosure(db, trackingNo, access, randomUUID())).is_recorded
      },
    },
  ]

  const singleUse: Statement[] = [
    {
      name: 'createPendingRecord',
      kind: 'secret_token',
      scope: 'PROFILE_INQUIRE',
      lifetime: { table: 'qr_code', column: 'expires_at' },
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
      lifetime: { table: 'qr_code', column: 'expires_at' },
      prepare: async () => {
        const qrValue = await api.issueQrValue('share')
        const { rows } = await sql<{ trackingNo: string; profile: string }>`
          select timed_tracking_no(${mintTrackingNo()}, clock_now()) as "trackingNo", c.profile
            from qr_code q join citizen c on c.id = q.citizen_id order by q.id desc limit 1`.execute(
          service.db,
        )
        const viewing = {
          ...rows[0]!,
          qrValue,
          qrHmacs: await newest('qr_code'),
          requestId: randomUUID(),
          traceparent: null,
          callback_url: null,
          snapshot: 'encrypted',
        }
        return async (db, access) =>
          (await createViewedRecord(db, { ...access, ...viewing }, 3_600)).is_created
      },
    },
    {
      name: 'redeemExchangeCode',
      kind: 'partner_secret',
      scope: 'SSO_AUTHENTICATION',
      lifetime: { table: 'exchange_code', column: 'expires_at' },
      prepare: async () => {
        await api.issueExchangeCode()
        const redemption = {
          codeHmacs: await newest('exchange_code'),
          challenge: null,
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
      lifetime: { table: 'access_token', column: 'expires_at' },
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

  return { repeatable, singleUse, accessNow }
}
