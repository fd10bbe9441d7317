// `reapplyRevocation` after a restore: it changes the named record only, and says so to all who must know.
import { randomUUID } from 'node:crypto'
import { createPartner } from '@tiwala/kit/users'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { reapplyRevocation } from '../../src/authorizations/revoke-authorization/revoke-authorization.sql.ts'
import { startServiceForFile } from '../kit/api-client.ts'
import { passport, profile } from '../kit/canary-citizen.ts'
import { databaseUrlOf } from '../kit/database-url.ts'
import { DROP_AUDIT_ROWS, KEEP_AUDIT_ROWS } from '../kit/dropped-audit.ts'

const { service, api } = await startServiceForFile()
const OTHER_PARTNER = 'OTHER_PARTNER'
await createPartner(api.operator, { partner_code: OTHER_PARTNER, scopes: ['PROFILE_INQUIRE'] })

const revokeAgain = (trackingNo: string, partnerCode = api.partner.partner_code, requestId = randomUUID()) =>
  reapplyRevocation(service.db, partnerCode, trackingNo, {
    kind: 'authorization.revoked',
    actor: 'admin',
    requestId,
    traceparent: null,
  })

/** A record that a citizen of its own has accepted. */
async function accept(): Promise<string> {
  const uniqid = `AGAIN-${randomUUID()}`
  const headers = { Authorization: `Bearer ${await service.tokens.citizen(uniqid)}` }
  const json = { profile: { ...profile, uniqid }, passport }
  await api.send('upsertCitizen', { headers: api.asOperator, path: { uniqid }, json })
  const trackingNo = await api.createPendingRecord(headers)
  expect((await api.accept(trackingNo, headers)).status).toBe(200)
  return trackingNo
}

async function stateOf(trackingNo: string): Promise<string> {
  const { rows } = await sql<{ state: string }>`
    select state from authorization_record where tracking_no = ${trackingNo}`.execute(service.db)
  return rows[0]!.state
}

/** Runs `act` while another transaction holds the lock of the record's citizen. */
async function whileCitizenIsLocked<Result>(trackingNo: string, act: () => Promise<Result>): Promise<Result> {
  return service.db.transaction().execute(async (holder) => {
    await sql`
      select pg_advisory_xact_lock(1, (citizen_id & 2147483647)::int) from authorization_record
       where tracking_no = ${trackingNo}`.execute(holder)
    return act()
  })
}

describe('reapplyRevocation', () => {
  test('revokes this record, and no other of the partner', async () => {
    const [first, second] = [await accept(), await accept()]
    // It does not wait for the citizen of another record.
    expect(await whileCitizenIsLocked(second, () => revokeAgain(first))).toMatchObject({ is_changed: true })
    expect([await stateOf(first), await stateOf(second)]).toEqual(['REVOKED', 'ACCEPTED'])
    expect(await revokeAgain(first)).toMatchObject({ is_changed: false })
  })

  test('finds no record of another partner, and does not wait for its citizen', async () => {
    const trackingNo = await accept()
    const outcome = await whileCitizenIsLocked(trackingNo, () => revokeAgain(trackingNo, OTHER_PARTNER))
    expect(outcome).toBeUndefined()
    expect(await stateOf(trackingNo)).toBe('ACCEPTED')
  })

  test.each([
    { callbackUrl: 'https://partner.example/events', events: 1 },
    { callbackUrl: null, events: 0 },
  ])('writes $events event with the callback URL $callbackUrl', async ({ callbackUrl, events }) => {
    const trackingNo = await accept()
    const setUrl = (url: string | null) =>
      sql`update partner set callback_url = ${url} where partner_code = ${api.partner.partner_code}`.execute(
        service.db,
      )
    await setUrl(callbackUrl)
    const [before] = await service.countRows('callback_event')
    await revokeAgain(trackingNo)
    const [after] = await service.countRows('callback_event')
    await setUrl(null)
    expect(after! - before!).toBe(events)
  })

  test('notifies the processes of a change, and only of a change', async () => {
    const [changed, unchanged, last] = [await accept(), await accept(), await accept()]
    await revokeAgain(unchanged)
    const listener = new pg.Client(await databaseUrlOf(service))
    await listener.connect()
    const received: string[] = []
    listener.on('notification', ({ payload }) => void received.push(payload!))
    await listener.query('listen tiwala')
    // Notices follow the commit, in its order. Those of the first revocation have come when this one comes.
    await revokeAgain(last)
    await expect.poll(() => received.some((each) => each.endsWith(last))).toBe(true)
    received.length = 0
    await revokeAgain(unchanged)
    await revokeAgain(changed)
    await expect.poll(() => received.filter((each) => each.endsWith(changed))).toHaveLength(1)
    await listener.end()
    expect(received.filter((each) => each.endsWith(unchanged))).toEqual([])
  })

  test('fails, and changes nothing, if the audit drops its row', async () => {
    const trackingNo = await accept()
    await sql.raw(DROP_AUDIT_ROWS).execute(service.db)
    const outcome = await revokeAgain(trackingNo).catch((error: Error) => error.message)
    await sql.raw(KEEP_AUDIT_ROWS).execute(service.db)
    expect(outcome).toBe('the audit took 0 of 1 rows')
    expect(await stateOf(trackingNo)).toBe('ACCEPTED')
  })
})
