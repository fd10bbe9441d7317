// A request of a partner has read the profile, and something changes before it commits: another request with
// the same QR value, the profile or the consent.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { issueQrCode } from '../../src/authorizations/issue-qr-code/issue-qr-code.ts'
import { preloadShareable, profileByQr } from '../../src/authorizations/profile-by-qr/profile-by-qr.ts'
import { revokeConsent } from '../../src/authorizations/revoke-authorization/revoke-authorization.sql.ts'
import { putCitizens } from '../../src/citizens/put-citizens.ts'
import type { Call, Service } from '../../src/operation.ts'
import type { AuthenticatedPartner } from '../../src/partners/partner.ts'
import { sandboxCitizens } from '../../src/sandbox/citizens.ts'
import { createKeyRing } from '../../src/secrets/key-ring.ts'
import { mintKeys } from '../../src/secrets/open-key-ring.ts'
import { mintRequestId } from '../../src/secrets/tokens.ts'
import { advanceClock } from '../../src/testing/database.ts'
import { startServiceForFile } from '../kit/api-client.ts'

const { service, api } = await startServiceForFile()
const ringKeys = mintKeys()
const own = { db: service.db, config: service.config, keys: createKeyRing(() => ringKeys) } as Service
const citizen = sandboxCitizens(service.config.publicUrl)[0]!
await putCitizens(own, [citizen])

const { rows: partners } = await sql<AuthenticatedPartner>`
  select p.id, p.scopes, p.callback_url, p.access_version, k.id as credential_id
    from partner p join credential k on k.partner_id = p.id and k.kind = 'secret_token'
   where p.secret_code = ${api.partner.secret_code}`.execute(service.db)

async function showQr(): Promise<string> {
  const caller = { uniqidHmacs: own.keys.hmacs('uniqid', citizen.profile.uniqid) }
  const call = { caller, body: { purpose: 'share' }, requestId: mintRequestId() }
  const { body } = await issueQrCode(own, call as unknown as Call<'issueQrCode'>)
  return body.qr_value
}

/** A request that has read the profile and not committed. */
async function startView(qr_value: string) {
  const [requestId, query] = [mintRequestId(), { qr_value }]
  const loaded = await preloadShareable(own, api.partner.secret_code, query)
  const call = { caller: partners[0]!, loaded, query, requestId, traceparent: null }
  const { body, commit } = await profileByQr(own, call as unknown as Call<'profileByQr'>)
  return { requestId, body, commit: commit! }
}

/** Two requests that have read the profile, the second one a second later: the time is a part of their tracking numbers. */
async function startTwoViews() {
  const qrValue = await showQr()
  const first = await startView(qrValue)
  await advanceClock(service.db, 1)
  const second = await startView(qrValue)
  expect(second.body.data.tracking_no).not.toBe(first.body.data.tracking_no)
  return [first, second] as const
}

async function auditOf({ requestId }: { requestId: string }): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`
    select kind from audit_event where request_id = ${requestId}`.execute(service.db)
  return rows.map(({ kind }) => kind)
}

test('200: both get the record of the first, and each disclosure is audited', async () => {
  const [first, second] = await startTwoViews()
  await first.commit(service.db)
  await second.commit(service.db)
  expect(second.body).toEqual(first.body)
  expect([await auditOf(first), await auditOf(second)]).toEqual([['profile.viewed'], ['profile.disclosed']])
})

test('503: the second has read another profile than the record has; it is not disclosed', async () => {
  const qrValue = await showQr()
  const second = await startView(qrValue)
  await putCitizens(own, [{ ...citizen, profile: { ...citizen.profile, last_name: 'Changed' } }])
  await (await startView(qrValue)).commit(service.db)
  await expect(second.commit(service.db)).rejects.toMatchObject({
    code: 'unavailable',
    headers: { 'Retry-After': '1' },
  })
  expect(await auditOf(second)).toEqual([])
})

test('503: the profile changed after it was read; the value is not consumed', async () => {
  const qrValue = await showQr()
  const view = await startView(qrValue)
  await putCitizens(own, [{ ...citizen, profile: { ...citizen.profile, last_name: 'Newer' } }])
  await expect(view.commit(service.db)).rejects.toMatchObject({
    code: 'unavailable',
    headers: { 'Retry-After': '1' },
  })
  expect(await auditOf(view)).toEqual([])
  const again = await startView(qrValue)
  await again.commit(service.db)
  expect([again.body.data.response.last_name, await auditOf(again)]).toEqual(['Newer', ['profile.viewed']])
})

test('503: the citizen revokes the consent after a retry has read the record', async () => {
  const qrValue = await showQr()
  await (await startView(qrValue)).commit(service.db)
  const retry = await startView(qrValue)
  const uniqidHmacs = own.keys.hmacs('uniqid', citizen.profile.uniqid)
  const origin = { requestId: mintRequestId(), traceparent: null }
  await revokeConsent(service.db, uniqidHmacs, retry.body.data.tracking_no, origin)
  await expect(retry.commit(service.db)).rejects.toMatchObject({
    code: 'unavailable',
    headers: { 'Retry-After': '1' },
  })
  expect(await auditOf(retry)).toEqual([])
})

test('500: the second cannot be audited', async () => {
  const [first, second] = await startTwoViews()
  await first.commit(service.db)
  await sql`
    alter table audit_event add constraint refuse check (kind <> 'profile.disclosed') not valid`.execute(
    service.db,
  )
  await expect(second.commit(service.db)).rejects.toThrow('refuse')
  await sql`alter table audit_event drop constraint refuse`.execute(service.db)
})
