// The number of rows that the server reads depends neither on the size of a table nor on its statistics in
// PostgreSQL.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, expect, inject, test, vi } from 'vitest'
import { PLANS_KEPT_MS } from '../src/database/connection.ts'
import { startService } from '../src/testing/start-service.ts'
import { createApiClient } from '../test/kit/api-client.ts'
import { openGrowth } from './table-growth.ts'

/** PostgreSQL keeps the plan of a statement from its sixth execution on. */
const RUNS = 6
const GROWN = 4_000
/** A session of PostgreSQL reports its counts when a statement ends, at most once a second. */
const COUNTED_AFTER_MS = 1_100

afterEach(() => void vi.restoreAllMocks())

/**
 * Requests that run every statement for which a partner or a citizen waits, and the background statements
 * after them.
 */
async function callsOf(url: string) {
  const api = await createApiClient(url)
  const {
    send,
    asCitizen,
    asPartner,
    createPendingRecord,
    inquire,
    accept,
    viewByQr,
    issueQrValue,
    request,
  } = api
  const expectStatus = async (status: number, pendingResponse: Promise<Response>) => {
    const response = await pendingResponse
    expect(response.status, `the status of ${response.url}`).toBe(status)
    return response
  }
  const ofRecord = async (
    id: 'revokeAuthorization' | 'declineAuthorization' | 'readAuthorization',
    tracking_no: string,
  ) => expectStatus(200, send(id, { headers: asCitizen, path: { tracking_no } }))
  return async () => {
    const accepted = await createPendingRecord()
    await expectStatus(200, inquire(accepted))
    await expectStatus(200, accept(accepted))
    await expectStatus(200, inquire(accepted))
    await ofRecord('revokeAuthorization', accepted)
    await ofRecord('declineAuthorization', await createPendingRecord())
    const cancelled = await createPendingRecord()
    await ofRecord('readAuthorization', cancelled)
    await expectStatus(
      200,
      send('cancelAuthorization', { headers: asPartner, path: { tracking_no: cancelled } }),
    )
    const qrValue = await issueQrValue('inquire')
    await expectStatus(200, request(qrValue))
    await expectStatus(200, request(qrValue))
    await expectStatus(200, viewByQr(await issueQrValue('share')))
    await expectStatus(200, api.signIn(await api.issueAccessToken()))
    const used = await api.issueExchangeCode()
    await expectStatus(200, api.redeemExchangeCode(used))
    await expectStatus(422, api.redeemExchangeCode(used))
    for (const id of ['listAuthorizations', 'listDisclosures', 'readPreferences'] as const)
      await expectStatus(200, send(id, { headers: asCitizen }))
    for (const id of ['listRecords', 'readPartnerSelf'] as const)
      await expectStatus(200, send(id, { headers: asPartner }))
    const refused = await expectStatus(422, request(`TWQ1${'0'.repeat(32)}`))
    const path = { request_id: refused.headers.get('x-request-id')! }
    await expect
      .poll(async () => (await send('readDiagnosis', { headers: asPartner, path })).status)
      .toBe(200)
    const stream = await expectStatus(
      200,
      send('streamEvents', { headers: { ...asCitizen, Accept: 'text/event-stream' } }),
    )
    await stream.body!.cancel()
  }
}

async function startGrowing() {
  const service = await startService(inject('postgres'), { TIWALA_DIAGNOSES_PER_MINUTE: '1000000' })
  const [growth, runAll] = [await openGrowth(service.db), await callsOf(service.url)]
  const runOften = async (runs: number) => {
    for (let run = 0; run < runs; run++) await runAll()
  }
  /** Makes PostgreSQL report its counts. */
  const settle = async () => {
    await sleep(COUNTED_AFTER_MS)
    await runAll()
  }
  /** Fails if one round of requests reads as many rows of a table as the table has. */
  const expectIndexesRead = async () => {
    await settle()
    const before = await growth.countRead()
    await runAll()
    await settle()
    const after = await growth.countRead()
    const whole = growth.tables
      .map((table) => ({ table, rows: after.get(table)! - before.get(table)! }))
      .filter(({ rows }) => rows >= GROWN)
      .map(({ table, rows }) => `one round of requests reads ${rows} rows of ${table}`)
    expect(whole, `no index fits, or a plan is old: ${whole.join('; ')}`).toEqual([])
  }
  const grow = async () => {
    const isSealed = sql`select from audit_leaf limit 1`
    await expect
      .poll(async () => (await isSealed.execute(service.db)).rows.length, {
        timeout: 30_000,
        message: 'rows of audit_leaf, after events were written',
      })
      .toBe(1)
    await growth.grow(GROWN)
    const real = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => real() + PLANS_KEPT_MS)
  }
  const close = async () => {
    await growth.close()
    await service.close()
  }
  return { analyze: growth.analyze, runOften, grow, expectIndexesRead, close }
}

test('no table is read completely when nearly empty, analyzed tables grow', async () => {
  const { analyze, runOften, grow, expectIndexesRead, close } = await startGrowing()
  await runOften(1)
  await analyze()
  await runOften(RUNS)
  await grow()
  await expectIndexesRead()
  await analyze()
  await expectIndexesRead()
  await close()
})

test('growth of tables that were never analyzed: no table is read completely', async () => {
  const { runOften, grow, expectIndexesRead, close } = await startGrowing()
  await runOften(RUNS)
  await grow()
  await expectIndexesRead()
  await close()
})
