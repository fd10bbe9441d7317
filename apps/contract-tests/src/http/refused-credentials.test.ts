import { routes } from '@tiwala/contract'
import { ALL_SCOPES } from '@tiwala/kit/users'
import { describe, expect, test } from 'vitest'
import { neededScopeOf, schemesOf } from '../contract-check/documents.ts'
import { comparable, errorBody } from '../kit/error-body.ts'
import { INVALID_CREDENTIALS, changed } from '../kit/invalid-credentials.ts'
import { type PartnerOperationId, prepareRequest } from '../kit/prepared-request.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()
const OPERATION_IDS = Object.keys(routes.partner) as PartnerOperationId[]

describe.each(OPERATION_IDS.filter((id) => schemesOf(id).includes('secretToken')))('%s', (id) => {
  test.each(INVALID_CREDENTIALS)('401: $what; nothing is used', async ({ error, headersFor }) => {
    const request = await prepareRequest(service, id)
    const response = await request.send({ headers: headersFor(request.partner, await service.partner()) })
    expect(await errorBody(response)).toMatchObject({ status: 401, error })
    expect(await request.stillWorks()).toBe(200)
  })

  test('401: an unknown code, a wrong token and a malformed one have the same response', async () => {
    const request = await prepareRequest(service, id)
    const another = await service.partner()
    const wrong = [
      { 'X-Secret-Code': `twc_${'0'.repeat(20)}` },
      { 'X-Secret-Token': another.credentials.secret_token },
      { 'X-Secret-Token': 'junk' },
    ]
    const responses = await Promise.all(
      wrong.map(async (change) =>
        comparable(await request.send({ headers: { ...request.headers, ...change } })),
      ),
    )
    expect(responses).toEqual(responses.map(() => responses[0]))
  })
})

describe('generateToken', () => {
  test.each<{
    what: string
    wrong: (secret: string, others: string, token: string) => Record<string, string>
  }>([
    { what: 'an unknown partner_code', wrong: () => ({ partner_code: 'UNKNOWN' }) },
    {
      what: 'a partner_secret with one character changed',
      wrong: (secret) => ({ partner_secret: changed(secret) }),
    },
    { what: "another partner's partner_secret", wrong: (_, others) => ({ partner_secret: others }) },
    {
      what: 'the secret token as partner_secret',
      wrong: (_secret, _others, token) => ({ partner_secret: token }),
    },
    {
      what: 'wrong credentials, with any scope and code',
      wrong: () => ({ partner_code: 'UNKNOWN', scope: 'NONE', exchange_code: 'junk' }),
    },
  ])('403: $what; the code is not used', async ({ wrong }) => {
    const request = await prepareRequest(service, 'generateToken')
    const { partner_secret, secret_token } = request.partner.credentials
    const change = wrong(partner_secret, (await service.partner()).credentials.partner_secret, secret_token)
    expect(await errorBody(await request.send({ fields: { ...request.fields, ...change } }))).toMatchObject({
      status: 403,
      error: 'partner_invalid',
    })
    expect(await request.stillWorks()).toBe(200)
  })

  test('403: an unknown partner_code and a wrong or malformed partner_secret look the same', async () => {
    const request = await prepareRequest(service, 'generateToken')
    const { partner_secret } = (await service.partner()).credentials
    const wrong = [{ partner_code: 'UNKNOWN' }, { partner_secret }, { partner_secret: 'junk' }]
    const responses = await Promise.all(
      wrong.map(async (change) =>
        comparable(await request.send({ fields: { ...request.fields, ...change } })),
      ),
    )
    expect(responses).toEqual(responses.map(() => responses[0]))
  })
})

describe.each(OPERATION_IDS)('%s', (id) => {
  test('403: a suspended partner; once it is resumed, the same request works', async () => {
    const request = await prepareRequest(service, id)
    const path = { partner_code: request.partner.code }
    await service.operator('suspendPartner', { path })
    expect(await errorBody(await request.send())).toMatchObject({ status: 403, error: 'partner_suspended' })
    await service.operator('resumePartner', { path })
    expect(await request.stillWorks()).toBe(200)
  })
})

/** Of an access token, the scope is that of the partner that obtained it. */
const SCOPED = OPERATION_IDS.filter((id) => !schemesOf(id).includes('accessToken'))
  .map((id) => ({ id, scope: neededScopeOf(id) }))
  .filter(({ scope }) => scope)

describe.each(SCOPED)('$id', ({ id, scope }) => {
  test(`403: a partner without the scope ${scope}; nothing is used`, async () => {
    const request = await prepareRequest(service, id)
    const limited = await service.partner({ scopes: ALL_SCOPES.filter((each) => each !== scope) })
    expect(await errorBody(await request.sendAs(limited))).toMatchObject({
      status: 403,
      error: 'scope_not_granted',
    })
    expect(await request.stillWorks()).toBe(200)
  })

  test.each(['https://partner.example', 'null', 'http://localhost:1'])(
    '403: from a browser page of %s; nothing is used up',
    async (Origin) => {
      const request = await prepareRequest(service, id)
      expect(await errorBody(await request.send({ headers: { ...request.headers, Origin } }))).toMatchObject({
        status: 403,
        error: 'browser_use_forbidden',
      })
      expect(await request.stillWorks()).toBe(200)
    },
  )

  test('200: the pages of the sandbox may send the request from a browser', async () => {
    const request = await prepareRequest(service, id)
    expect((await request.send({ headers: { ...request.headers, Origin: service.url } })).status).toBe(200)
  })
})
