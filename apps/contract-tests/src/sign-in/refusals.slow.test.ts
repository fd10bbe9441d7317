// What a partner learns of a refused request: the error of the protocol, and the diagnosis with its cause.
import { sql } from 'kysely'
import * as openid from 'openid-client'
import { beforeAll, describe, expect, test } from 'vitest'
import { createBrowser } from '../kit/browser.ts'
import { diagnose, failedCheckOf } from '../kit/diagnoses.ts'
import {
  approve,
  arrive,
  authorizationUrl,
  register,
  registration,
  relyingParty,
} from '../kit/relying-party.ts'
import { refusal, startServiceForFile, startTestService } from '../kit/test-service.ts'

// A header gives the client address.
const service = await startServiceForFile({
  TIWALA_REFUSED_CREDENTIALS_PER_MINUTE: '2',
  TIWALA_TRUSTED_PROXIES: '127.0.0.1',
})

type Party = Awaited<ReturnType<typeof relyingParty>>

/** The check that failed, and what the diagnosis says of it. */
async function diagnosisOf({ partner }: Party, requestId: string) {
  const diagnosis = await diagnose(partner, requestId)
  const { operation, error, status } = diagnosis
  return { operation, error, status, ...failedCheckOf(diagnosis) }
}

const requestIdOf = (text: string) => /req_[0-9A-Za-z]+/.exec(text)![0]

async function approved(party: Party) {
  const { url, checks } = await party.begin()
  const [visit, citizen] = [await arrive(service.url, url), await service.citizen()]
  await approve(citizen, await visit.scan())
  return { citizen, callback: await visit.goOn(), checks }
}

/** Sends a code as a partner's server does. */
async function redeem(
  { partner }: Party,
  { callback, checks }: Awaited<ReturnType<typeof approved>>,
  changes: Record<string, string> = {},
  address = '192.0.2.200',
) {
  const response = await fetch(`${service.url}/oidc/token`, {
    method: 'POST',
    headers: { 'X-Forwarded-For': address },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code')!,
      redirect_uri: 'https://partner.example/callback',
      code_verifier: checks.pkceCodeVerifier,
      client_id: partner.code,
      client_secret: partner.credentials.partner_secret,
      ...changes,
    }),
  })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, string>,
    requestId: response.headers.get('x-request-id')!,
  }
}

describe('the diagnosis of a code', () => {
  test('a wrong secret, and one that is cut off', async () => {
    const party = await relyingParty(service)
    const sign = await approved(party)
    const other = (await service.partner()).credentials.partner_secret
    for (const [client_secret, detail] of [
      [other, 'partner_secret: unknown'],
      [other.slice(0, -1), 'partner_secret: mistyped or cut off: its checksum is wrong'],
    ] as const) {
      const { requestId, body } = await redeem(party, sign, { client_secret })
      expect(body['error']).toBe('invalid_client')
      expect(await diagnosisOf(party, requestId)).toMatchObject({
        operation: 'oidc/token',
        status: 401,
        error: 'invalid_client',
        check: 'credentials',
        detail,
      })
    }
  })

  test('the verifier, another redirect URI, a code of another partner, a code that was used', async () => {
    const party = await relyingParty(service)
    const other = await relyingParty(service)
    const sign = await approved(party)
    const outcome = async (of: Party, changes: Record<string, string> = {}) => {
      const { requestId, body } = await redeem(of, sign, changes)
      return { ...(await diagnosisOf(of, requestId)), said: body['error'] }
    }
    expect(await outcome(party, { code_verifier: '0'.repeat(43) })).toMatchObject({
      said: 'invalid_grant',
      check: 'pkce',
      detail: 'code_verifier does not match code_challenge',
    })
    expect(await outcome(party, { redirect_uri: 'https://partner.example/other' })).toMatchObject({
      check: 'redirect_uri',
    })
    expect(await outcome(other)).toMatchObject({ check: 'authorization_code', detail: 'client mismatch' })
    expect((await redeem(party, sign)).status).toBe(200)
    expect(await outcome(party)).toMatchObject({
      check: 'authorization_code',
      detail: 'authorization code already consumed',
    })
  })

  test('a code that expired says when', async () => {
    const party = await relyingParty(service)
    const sign = await approved(party)
    await service.advance(72)
    const { requestId } = await redeem(party, sign)
    const { check, detail } = await diagnosisOf(party, requestId)
    expect([check, detail]).toEqual(['authorization_code', expect.stringMatching(/^expired 1\d s ago$/)])
  })

  test('an item or the assurance is no longer enough, a citizen who blocks the partner looks like an unknown code', async () => {
    const changed = async (change: (party: Party, sign: Awaited<ReturnType<typeof approved>>) => unknown) => {
      const party = await relyingParty(service)
      const sign = await approved(party)
      await change(party, sign)
      const { requestId, body } = await redeem(party, sign)
      expect(body['error']).toBe('invalid_grant')
      const { check, detail } = await diagnosisOf(party, requestId)
      return `${check}: ${detail}`
    }
    const purpose = registration().purposes[0]!
    const withPurpose =
      (change: Partial<typeof purpose>) =>
      ({ partner }: Party) =>
        register(service.operator, partner.code, { purposes: [{ ...purpose, ...change }] })
    expect(await changed(withPurpose({ optional_items: [] }))).toBe(
      'scope: an item that the citizen shared is no longer granted for the purpose',
    )
    expect(await changed(withPurpose({ minimum_acr: 'high' }))).toBe(
      'assurance: the purpose needs more than how the citizen was authenticated',
    )
    expect(
      await changed(({ partner }, { citizen }) =>
        citizen.app('replacePreferences', { body: { frozen: false, blocked_partners: [partner.code] } }),
      ),
    ).toBe('authorization_code: unknown, or not usable')
  })

  test('the address, the scope and the suspension of the partner', async () => {
    const party = await relyingParty(service)
    const sign = await approved(party)
    const { partner } = party
    const path = { partner_code: partner.code }
    const { scopes } = (await service.operator('readPartner', { path })).body
    const CHANGES = [
      [() => partner.change({ ip_allow_list: ['192.0.2.1'] }), () => partner.change({ ip_allow_list: [] })],
      [() => partner.change({ scopes: ['PROFILE_VIEW'] }), () => partner.change({ scopes })],
      [() => service.operator('suspendPartner', { path }), () => service.operator('resumePartner', { path })],
    ]
    const found = []
    for (const [index, [refuse, restore]] of CHANGES.entries()) {
      await refuse!()
      // Of one address, the third wrong credential would be too many.
      const { requestId, body } = await redeem(party, sign, {}, `192.0.2.20${index}`)
      await restore!()
      const { check, detail } = await diagnosisOf(party, requestId)
      found.push([body['error'], check, detail])
    }
    expect(found).toEqual([
      ['invalid_client', 'address', 'the request came from 192.0.2.200'],
      ['invalid_client', 'scope', expect.stringContaining('SSO_AUTHENTICATION')],
      ['invalid_client', 'suspension', expect.any(String)],
    ])
  })
})

describe('the diagnosis of an authorization request', () => {
  test.each([
    ['a redirect URI', { redirect_uri: 'https://partner.example/other' }, 'redirect_uri'],
    ['PKCE', { code_challenge: '', code_challenge_method: '' }, 'pkce'],
    ['a scope', { scope: 'openid passport' }, 'scope'],
    ['the scope openid', { scope: 'profile', nonce: '' }, 'scope'],
    ['a purpose', { purpose: 'other' }, 'scope'],
    ['prompt=none', { prompt: 'none' }, 'consent'],
    ['a response type', { response_type: 'token' }, 'request'],
  ])('%s', async (_what, parameters, check) => {
    const party = await relyingParty(service)
    const url = authorizationUrl(service.url, party.partner.code)
    for (const [name, value] of Object.entries(parameters))
      if (value) url.searchParams.set(name, value)
      else url.searchParams.delete(name)
    const end = await createBrowser(service.url).open(url)
    const requestId = requestIdOf(end.url.searchParams.get('error_description') ?? (end.text || end.url.hash))
    expect(await diagnosisOf(party, requestId)).toMatchObject({ operation: 'oidc/authorization', check })
  })

  test('the citizen declined, and the time was over', async () => {
    const party = await relyingParty(service)
    const end = async (answer: (code: string) => Promise<unknown>) => {
      const visit = await arrive(service.url, (await party.begin()).url)
      await answer(await visit.scan())
      const { searchParams } = await visit.goOn()
      const found = await diagnosisOf(party, requestIdOf(searchParams.get('error_description')!))
      return { said: searchParams.get('error'), check: found.check, detail: found.detail }
    }
    const citizen = await service.citizen()
    const declined = async (code: string) => {
      const { body } = await citizen.app('openSignIn', { body: { code } })
      await citizen.app('declineSignIn', { path: { sign_in_id: body.sign_in_id } })
    }
    expect(await end(declined)).toEqual({
      said: 'access_denied',
      check: 'consent',
      detail: 'the citizen declined',
    })
    expect(await end(() => service.advance(301))).toMatchObject({
      check: 'consent',
      detail: 'the citizen did not answer in time',
    })
  })

  test('unmet_authentication_requirements: the citizen tried, and was not authenticated strongly enough', async () => {
    const changes = registration()
    changes.purposes[0]!.minimum_acr = 'substantial'
    const [party, citizen] = [await relyingParty(service, { changes }), await service.citizen()]
    const visit = await arrive(service.url, (await party.begin()).url)
    expect((await refusal(approve(citizen, await visit.scan()))).code).toBe('assurance_too_low')
    await service.advance(301)
    const { searchParams } = await visit.goOn()
    expect(searchParams.get('error')).toBe('unmet_authentication_requirements')
    const requestId = requestIdOf(searchParams.get('error_description')!)
    expect(await diagnosisOf(party, requestId)).toMatchObject({ check: 'assurance' })
  })

  test('a partner cannot read the diagnosis of another one', async () => {
    const [party, other] = [await relyingParty(service), await relyingParty(service)]
    const { requestId } = await redeem(party, await approved(party), { code_verifier: '0'.repeat(43) })
    await diagnosisOf(party, requestId)
    expect((await refusal(other.partner.profiles.diagnose(requestId))).status).toBe(404)
  })
})

test('503: a failure of the database in the middle of a redemption does not use up the code', async () => {
  const party = await relyingParty(service)
  const sign = await approved(party)
  const holder = await service.db.startTransaction().execute()
  await sql`select from sign_in_request for update`.execute(holder)
  expect((await redeem(party, sign)).status).toBe(503)
  await holder.rollback().execute()
  expect((await redeem(party, sign)).status).toBe(200)
  expect((await redeem(party, sign)).body['error']).toBe('invalid_grant')
})

test('303: the browser goes on after a failure of the database while its sign-in is bound to a grant', async () => {
  const party = await relyingParty(service)
  const { url, checks } = await party.begin()
  const [visit, citizen] = [await arrive(service.url, url), await service.citizen()]
  await approve(citizen, await visit.scan())
  const holder = await service.db.startTransaction().execute()
  await sql`select from oidc_state where model = 'Interaction' for update`.execute(holder)
  expect((await visit.browser.request(`${visit.base}/continue`)).status).toBe(503)
  await holder.rollback().execute()
  expect((await redeem(party, { citizen, callback: await visit.goOn(), checks })).status).toBe(200)
})

test('503, with Retry-After: the session of a browser cannot be stored', async () => {
  const holder = await service.db.startTransaction().execute()
  // The library tries to store it twice.
  await sql`select set_config('idle_in_transaction_session_timeout', '60000', true)`.execute(holder)
  await sql`lock table oidc_state in share mode`.execute(holder)
  const response = await createBrowser(service.url).request(`${service.url}/oidc/session/end`, {
    headers: { Accept: 'text/html' },
  })
  await holder.rollback().execute()
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
  expect(response.headers.get('content-type')).toContain('html')
})

describe('an outage of the database', () => {
  let [url, code] = ['', '']
  beforeAll(async () => {
    const own = await startTestService({})
    const { partner } = await relyingParty(own)
    ;[url, code] = [own.url, partner.code]
    await own.loseDatabase()
    return () => own.close(0)
  })

  test.each(['token', 'request', 'token/revocation', 'me'])(
    '503 temporarily_unavailable: %s',
    async (path) => {
      const form = { client_id: code, client_secret: 'x', grant_type: 'authorization_code', token: 'x' }
      const response = await fetch(`${url}/oidc/${path}`, {
        method: 'POST',
        ...(path === 'me' ? { headers: { Authorization: 'Bearer x' } } : { body: new URLSearchParams(form) }),
      })
      expect(response.status).toBe(503)
      expect(response.headers.get('retry-after')).toBe('2')
      expect(await response.json()).toMatchObject({ error: 'temporarily_unavailable' })
    },
  )

  test('503, with Retry-After: a page in the browser', async () => {
    const response = await createBrowser(url).request(authorizationUrl(url, code))
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
    expect(response.headers.get('content-type')).toContain('html')
  })
})

describe('limits', () => {
  test('429: more tokens in a minute than the partner may get, by secret', async () => {
    const party = await relyingParty(service)
    const sign = await approved(party)
    await party.partner.change({ limits: { tokens_per_minute: 2 } })
    for (const _ of [1, 2]) expect((await redeem(party, sign, { code: 'x' })).status).toBe(400)
    const over = await redeem(party, sign)
    expect([over.status, over.body['error']]).toEqual([429, 'temporarily_unavailable'])
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await diagnosisOf(party, over.requestId)).toMatchObject({ check: 'rate', status: 429 })
    // Another client without the secret uses up nothing of the partner.
    const other = await relyingParty(service)
    await other.partner.change({ limits: { tokens_per_minute: 1 } })
    const otherSign = await approved(other)
    for (const _ of [1, 2, 3])
      expect((await redeem(other, otherSign, { client_secret: 'wrong' })).status).toBeOneOf([401, 429])
    expect((await redeem(other, otherSign)).status).toBe(200)
  })

  test('429: more sign-ins in a day than the quota allows, until midnight; a refused code does not count', async () => {
    const party = await relyingParty(service)
    const signs = [await approved(party), await approved(party)] as const
    await party.partner.change({ limits: { per_day: 1 } })
    expect((await redeem(party, signs[0], { code: 'x' })).status).toBe(400)
    expect((await redeem(party, signs[0])).status).toBe(200)
    const over = await redeem(party, signs[1])
    expect([over.status, over.body['error']]).toEqual([429, 'temporarily_unavailable'])
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await diagnosisOf(party, over.requestId)).toMatchObject({
      check: 'rate',
      status: 429,
      detail: 'the daily quota is used up',
    })
    const code = await service.citizen().then((citizen) => citizen.exchangeCode(party.partner.code))
    expect((await refusal(party.partner.sso.generateToken(code))).code).toBe('quota_exceeded')
    await party.partner.change({ limits: { per_day: null } })
    expect((await redeem(party, signs[1])).status).toBe(200)
  })

  test('429: wrong secrets and unknown tokens from an address; the right secret works from there', async () => {
    const party = await relyingParty(service)
    const sign = await approved(party)
    const wrongly = () => redeem(party, sign, { client_secret: 'wrong' }, '198.51.100.7')
    for (const _ of [1, 2]) expect((await wrongly()).status).toBe(401)
    const over = await wrongly()
    expect([over.status, over.body['error']]).toEqual([429, 'temporarily_unavailable'])
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await diagnosisOf(party, over.requestId)).toMatchObject({
      check: 'credentials',
      detail: 'too many wrong credentials from this address',
    })
    expect((await redeem(party, sign, {}, '198.51.100.7')).status).toBe(200)
    const read = () =>
      fetch(`${service.url}/oidc/me`, {
        headers: { Authorization: 'Bearer unknown', 'X-Forwarded-For': '198.51.100.8' },
      })
    expect([(await read()).status, (await read()).status, (await read()).status]).toEqual([401, 401, 429])
  })

  test('401, 429: the revocation endpoint has the same limits, and the allow-list of the partner', async () => {
    const { partner } = await relyingParty(service)
    const { partner_secret } = partner.credentials
    const revoke = async (client_secret: string, address: string) => {
      const response = await fetch(`${service.url}/oidc/token/revocation`, {
        method: 'POST',
        headers: { 'X-Forwarded-For': address },
        body: new URLSearchParams({ client_id: partner.code, client_secret, token: 'x' }),
      })
      return response.status
    }
    const wrongly = () => revoke('wrong', '198.51.100.9')
    expect([await wrongly(), await wrongly(), await wrongly()]).toEqual([401, 401, 429])
    await partner.change({ limits: { tokens_per_minute: 1 } })
    const rightly = () => revoke(partner_secret, '198.51.100.10')
    expect([await rightly(), await rightly()]).toEqual([200, 429])
    await partner.change({ ip_allow_list: ['192.0.2.1'], limits: { tokens_per_minute: null } })
    expect(await rightly()).toBe(401)
  })

  test('RateLimit and RateLimit-Policy say what is left; a request that is not authenticated gets none', async () => {
    const party = await relyingParty(service)
    await party.partner.change({ limits: { tokens_per_minute: 2, sign_ins_per_minute: 3 } })
    const sign = await approved(party)
    const limitOf = ({ headers }: { headers: Headers }) =>
      headers.get('ratelimit')?.replace(/t=\d+$/, 't=_') ?? null
    const wrong = await redeem(party, sign, { client_secret: 'wrong' })
    const first = await redeem(party, sign)
    expect([limitOf(wrong), limitOf(first)]).toEqual([null, '"2-in-1min"; r=1; t=_'])
    expect(first.headers.get('ratelimit-policy')).toMatch(/^"2-in-1min"; q=2; w=60; pk=:[\w+/=]+:$/)
    const headers = { Authorization: `Bearer ${first.body['access_token']}` }
    expect(limitOf(await fetch(`${service.url}/oidc/me`, { headers }))).toBe('"3-in-1min"; r=2; t=_')
    const [last, over] = [await redeem(party, sign), await redeem(party, sign)]
    expect([last.status, limitOf(last)]).toEqual([400, '"2-in-1min"; r=0; t=_'])
    expect([over.status, limitOf(over)]).toEqual([429, '"2-in-1min"; r=0; t=_'])
  })

  test('429: more pushed requests in a minute, and more reads of userinfo', async () => {
    const party = await relyingParty(service)
    const sign = await approved(party)
    const tokens = await openid.authorizationCodeGrant(party.config, sign.callback, sign.checks)
    await party.partner.change({ limits: { tokens_per_minute: 1, sign_ins_per_minute: 1 } })
    await party.begin({}, { isPushed: true })
    await expect(party.begin({}, { isPushed: true })).rejects.toMatchObject({ status: 429 })
    const read = () => openid.fetchUserInfo(party.config, tokens.access_token, openid.skipSubjectCheck)
    await read()
    await expect(read()).rejects.toMatchObject({ status: 429 })
  })
})
