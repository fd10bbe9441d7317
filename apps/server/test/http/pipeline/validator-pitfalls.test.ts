// The pitfalls of express-openapi-validator that the server works around.
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { putCitizens } from '../../../src/citizens/put-citizens.ts'
import { documents } from '../../../src/contract/documents.ts'
import { Failure } from '../../../src/failure.ts'
import { createValidator } from '../../../src/http/pipeline/validator.ts'
import { policyOf } from '../../../src/operations.ts'
import { sandboxCitizens } from '../../../src/sandbox/citizens.ts'
import { openKeyRing } from '../../../src/secrets/open-key-ring.ts'
import { assertErrorShape, refusalOf, startServiceForFile } from '../../kit/api-client.ts'

const { service, api } = await startServiceForFile()

test('a security scheme without a handler stops the start', () => {
  expect(() => createValidator('operator', {})).toThrow('security scheme without a handler: operatorToken')
})

test.each([
  'Basic bearer',
  'Basic Bearer *',
  'Basic *',
  'Bearer',
  'Bearer * *',
  'Bearer\t*',
  ', Bearer *',
  'Bearer *,*',
  'Bearer*',
])('401: "Authorization: %s" is not a bearer token, even with a valid token for *', async (spelt) => {
  const accessToken = await api.issueAccessToken()
  const refused = (id: 'authenticate' | 'listAuthorizations', token: string) =>
    refusalOf(api.send(id, { headers: { Authorization: spelt.replaceAll('*', token) } }))
  expect(await refused('authenticate', accessToken)).toMatch(/^401 token_(invalid|missing)$/)
  expect(await refused('listAuthorizations', api.citizens[0]!.token)).toMatch(/^401 token_(invalid|missing)$/)
  expect((await api.signIn(accessToken)).status).toBe(200)
})

describe('security handlers', () => {
  test('401, 422: use nothing up: a request that fails validation leaves the token unused', async () => {
    const accessToken = await api.issueAccessToken()
    const headers = { Authorization: `Bearer ${accessToken}` }
    expect(await refusalOf(api.send('authenticate', { headers, query: { unknown: '1' } }))).toBe(
      '422 validation_failed',
    )
    expect((await api.signIn(accessToken)).status).toBe(200)
    expect(await refusalOf(api.signIn(accessToken))).toBe('401 token_used')
  })

  test('503: an error that a handler throws reaches the client unchanged', async () => {
    const { rows } = await sql<{
      was: string
    }>`select pg_get_functiondef('clock_now'::regproc) as was`.execute(service.db)
    await sql`
      create or replace function clock_now() returns timestamptz language plpgsql volatile
      as 'begin raise exception using errcode = ''57014''; end'`.execute(service.db)
    const response = await api.inquire('x')
    await sql.raw(rows[0]!.was).execute(service.db)
    expect([await refusalOf(response.clone()), response.headers.get('retry-after')]).toEqual([
      '503 unavailable',
      '2',
    ])
  })
})

test('400: a parameter that is not UTF-8', async () => {
  const response = await api.send('listPartners', { headers: api.asOperator, query: 'q=Pe%F1a' })
  expect(await response.json()).toMatchObject({
    status: 400,
    error: 'malformed_request',
    message: 'A parameter is not UTF-8',
  })
})

test.each(documents.partner.components.schemas.ErrorCode.enum)(
  'the body of %s conforms to the contract',
  (code) => {
    const failure = new Failure(code as 'unavailable', {
      errors: { field: ['is wrong'] },
      cause: new Error('inside'),
      retryAfterSeconds: 1,
    })
    const body = failure.toBody('req_0123456789abcdefghijAB')
    assertErrorShape(body)
    expect([body.error, body.status]).toEqual([code, failure.status])
  },
)

describe('a response that breaks the contract', () => {
  const audited = async () => (await sql`select id from audit_event`.execute(service.db)).rows.length

  test('500: nothing is used up: QR value, record and token work after the data are repaired', async () => {
    const [qr, trackingNo, accessToken] = [
      await api.issueQrValue('share'),
      await api.createPendingRecord(),
      await api.issueAccessToken(),
    ]
    const { keys, close } = await openKeyRing(service.config, () => {})
    const { uniqid } = api.citizens[0]!
    const own = sandboxCitizens(service.url).find(({ profile }) => profile.uniqid === uniqid)!
    const store = (changed: object) =>
      putCitizens({ db: service.db, keys }, [{ ...own, profile: { ...own.profile, ...changed } }])
    await store({ mobile: 'canary', middle_name: undefined })
    await api.accept(trackingNo)
    const before = await audited()
    const fail = async (call: Promise<Response>) => {
      const response = await call
      expect(await response.clone().text()).not.toContain('canary')
      expect(await refusalOf(response)).toBe('500 internal_error')
    }
    await fail(api.viewByQr(qr))
    await fail(api.signIn(accessToken))
    expect(await audited()).toBe(before)
    // An inquiry uses nothing up. Its statement records the disclosure when it reads the profile, before the
    // check.
    await fail(api.inquire(trackingNo))
    expect(await audited()).toBe(before + 1)
    await store({})
    await close()
    expect([(await api.viewByQr(qr)).status, (await api.signIn(accessToken)).status]).toEqual([200, 200])
  })

  test('500: the exchange code is not used up', async () => {
    const code = await api.issueExchangeCode()
    const policy = policyOf('generateToken') as { run: (...given: never[]) => Promise<object> }
    const { run } = policy
    vi.spyOn(policy, 'run').mockImplementationOnce(async (...given) => ({
      ...(await run(...given)),
      body: { access_token: 7 },
    }))
    const response = await api.redeemExchangeCode(code)
    expect(await refusalOf(response)).toBe('500 internal_error')
    expect((await api.redeemExchangeCode(code)).status).toBe(200)
  })
})

test('500: if the error handler fails, the response is still JSON in the error shape', async () => {
  const failing = vi.spyOn(Failure.prototype, 'toBody').mockImplementation(() => {
    throw new Error('secret of the inside')
  })
  const response = await api.inquire('x')
  failing.mockRestore()
  expect(await response.clone().text()).not.toContain('inside')
  expect(response.headers.get('link')).toContain('/errors/internal_error')
  expect(await refusalOf(response)).toBe('500 internal_error')
})
