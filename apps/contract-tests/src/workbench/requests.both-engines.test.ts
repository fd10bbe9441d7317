// The partner's own requests and records in the workbench.
import type { Schemas } from '@tiwala/contract'
import { describe, expect, test } from 'vitest'
import { callWorkbench } from '../kit/member.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile({})

async function prepare() {
  const [partner, citizen] = [await service.partner(), await service.citizen()]
  const { headers } = await service.signIn(partner.code, 'viewer')
  const call = callWorkbench(service.url, headers)
  const list = async (query: Record<string, string> = {}) =>
    (await call('listRequests', { query })).body.requests
  return { partner, citizen, call, list }
}

const idsOf = (requests: Schemas['PartnerRequest'][]) => requests.map(({ request_id }) => request_id)

describe('requests', () => {
  test('200: each request with its operation, status, code, credential and address, and no secret', async () => {
    const { partner, citizen, list } = await prepare()
    const qrValue = await citizen.showQr()
    const { record } = await partner.profiles.requestAuthorization(qrValue)
    const { requestId } = await refusal(partner.profiles.requestAuthorization(qrValue.slice(0, -1)))
    await partner.sso.generateToken(await citizen.exchangeCode(partner.code))
    await refusal(partner.sso.generateToken(`twx_${'0'.repeat(49)}`))
    await expect.poll(async () => (await list()).length).toBe(4)
    const requests = await list()
    const { body } = await service.operator('listCredentials', { path: { partner_code: partner.code } })
    const credentialOf = (kind: string) => body.credentials.find((each) => each.kind === kind)!.id
    expect(requests).toMatchObject([
      { operation: 'generateToken', status: 422, error: 'exchange_code_invalid' },
      { operation: 'generateToken', status: 200, credential_id: credentialOf('partner_secret') },
      { request_id: requestId, status: 422, error: 'qr_value_invalid' },
      {
        operation: 'requestAuthorization',
        method: 'POST',
        status: 200,
        error: null,
        credential_id: credentialOf('secret_token'),
        address: '127.0.0.1',
      },
    ])
    const text = JSON.stringify(requests)
    for (const secret of [qrValue, record.tracking_no, citizen.uniqid, partner.credentials.secret_token])
      expect(text).not.toContain(secret)
  })

  test('200: filters by time, operation, status and code, page by page', async () => {
    const { partner, list, call } = await prepare()
    for (let turn = 0; turn < 3; turn++) await partner.profiles.whoAmI()
    await refusal(partner.profiles.inquire('unknown'))
    const wrong = { headers: { ...partner.headers, 'X-Secret-Token': 'twt_test_wrong' } }
    await service.send('readPartnerSelf', wrong)
    await service.send('inquire', { headers: partner.headers, query: { tracking_no: 'x', other: '1' } })
    await expect.poll(async () => (await list()).length).toBe(6)
    const all = await list()
    const countOf = async (query: Record<string, string>) => (await list(query)).length
    expect(await countOf({ operation: 'readPartnerSelf' })).toBe(4)
    expect(await countOf({ operation: 'listRecords' })).toBe(0)
    expect(await countOf({ status: '2XX' })).toBe(3)
    expect(await countOf({ status: '4XX' })).toBe(3)
    expect(await countOf({ status: '404' })).toBe(1)
    expect(await countOf({ failed: 'true' })).toBe(3)
    expect(await countOf({ failed: 'true', status: '2XX' })).toBe(0)
    expect(await countOf({ failed: 'true', status: '5XX' })).toBe(0)
    expect(await countOf({ status: '4XX', operation: 'readPartnerSelf' })).toBe(1)
    expect(await countOf({ error: 'credentials_invalid' })).toBe(1)
    // A wrong secret counts for the partner that it names, and no credential did it.
    expect(await list({ error: 'credentials_invalid' })).toMatchObject([{ status: 401, credential_id: null }])
    const middle = all[2]!.received_at
    const before = await list({ until: middle })
    const after = await list({ since: middle })
    expect([...idsOf(after), ...idsOf(before)]).toEqual(idsOf(all))
    expect(await countOf({ since: '2099-01-01T00:00:00Z' })).toBe(0)

    const seen: string[] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const { body } = await call('listRequests', { query: { limit: '2', ...(cursor && { cursor }) } })
      seen.push(...idsOf(body.requests))
      cursor = body.next_cursor
    }
    expect(seen).toEqual(idsOf(all))
  })

  test('422: a cursor, a time or a status that is none', async () => {
    const { call } = await prepare()
    for (const query of [{ cursor: 'x' }, { since: '2026-13-01T00:00:00Z' }, { status: '1XX' }])
      expect((await call('listRequests', { query })).status).toBe(422)
  })

  test('200: one request with the failed check and the page of its code', async () => {
    const { partner, call, list } = await prepare()
    const { requestId } = await refusal(partner.sso.generateToken(`twx_${'0'.repeat(49)}`))
    await expect.poll(async () => (await list()).length).toBe(1)
    const path = { request_id: requestId! }
    await expect.poll(async () => (await call('readRequest', { path })).body.diagnosis).not.toBeNull()
    const { body } = await call('readRequest', { path })
    expect(body.request).toMatchObject({ request_id: requestId, error: 'exchange_code_invalid' })
    expect(body.diagnosis!.checks).toContainEqual({
      check: 'exchange_code',
      outcome: 'failed',
      detail: expect.any(String),
    })
    expect(body.help_url).toBe(`${service.url}/errors/exchange_code_invalid`)
  })

  test('200: a request that succeeded has no diagnosis', async () => {
    const { partner, call, list } = await prepare()
    await partner.profiles.whoAmI()
    await expect.poll(async () => (await list()).length).toBe(1)
    const { body } = await call('readRequest', { path: { request_id: (await list())[0]!.request_id } })
    expect(body).toMatchObject({ diagnosis: null, help_url: null, request: { status: 200, error: null } })
  })
})

describe('records', () => {
  test('200: own records by state and tracking number, none of another partner', async () => {
    const [mine, other] = [await prepare(), await prepare()]
    const { record } = await mine.partner.profiles.requestAuthorization(await mine.citizen.showQr())
    const { tracking_no } = record
    const read = async ({ call }: typeof mine, query: Record<string, string>) =>
      (await call('listOwnRecords', { query })).body.records.map((each) => each.tracking_no)
    expect(await read(mine, {})).toEqual([tracking_no])
    expect(await read(mine, { state: 'PENDING' })).toEqual([tracking_no])
    expect(await read(mine, { state: 'ACCEPTED' })).toEqual([])
    expect(await read(mine, { tracking_no })).toEqual([tracking_no])
    expect(await read(mine, { tracking_no, state: 'ACCEPTED' })).toEqual([])
    expect(await read(other, { tracking_no })).toEqual([])
    expect(await read(other, {})).toEqual([])
  })
})
