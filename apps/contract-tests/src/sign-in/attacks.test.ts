import { sql } from 'kysely'
import * as openid from 'openid-client'
import { describe, expect, test } from 'vitest'
import { createBrowser } from '../kit/browser.ts'
import {
  approve,
  arrive,
  authorizationUrl,
  REDIRECT_URI,
  register,
  registration,
  relyingParty,
} from '../kit/relying-party.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile({})

/** A sign-in that the citizen has approved, before the partner redeems the code. */
async function approved(setup: Parameters<typeof relyingParty>[1] = {}) {
  const [party, citizen] = [await relyingParty(service, setup), await service.citizen()]
  const { url, checks } = await party.begin()
  const visit = await arrive(service.url, url)
  await approve(citizen, await visit.scan())
  const callback = await visit.goOn()
  const redeem = (changes: Partial<typeof checks> = {}) =>
    openid.authorizationCodeGrant(party.config, callback, { ...checks, ...changes })
  return { ...party, citizen, checks, callback, visit, redeem }
}

/** The error of the protocol that a request of the partner gets. */
async function errorOf(request: Promise<unknown>): Promise<string> {
  const error: unknown = await request.then(
    () => new Error('the request succeeded'),
    (thrown: unknown) => thrown,
  )
  if (error instanceof openid.ResponseBodyError) return error.error
  if (error instanceof openid.WWWAuthenticateChallengeError) return error.cause[0]!.parameters.error!
  throw error
}

const openAs = (citizen: Awaited<ReturnType<typeof service.citizen>>, code: string) =>
  citizen.app('openSignIn', { body: { code } })

test('200: a code as a scanner gives it, with a line end and in small letters', async () => {
  const [{ begin }, citizen] = [await relyingParty(service), await service.citizen()]
  const visit = await arrive(service.url, (await begin()).url)
  const { body } = await openAs(citizen, `${(await visit.scan()).toLowerCase()}\r\n`)
  expect((await openAs(citizen, visit.link().toLowerCase())).body.sign_in_id).toBe(body.sign_in_id)
})

describe('the browser', () => {
  test('400: another browser with the address of the page gets neither the request nor the code', async () => {
    const [{ begin }, citizen] = [await relyingParty(service), await service.citizen()]
    const visit = await arrive(service.url, (await begin()).url)
    const stranger = createBrowser(service.url)
    expect((await stranger.open(visit.base)).status).toBe(400)
    await approve(citizen, await visit.scan())
    for (const path of ['/continue', '/state', '/qr.svg', '/changes', '/return'])
      expect((await stranger.request(visit.base + path)).status).toBe(400)
    expect((await visit.goOn()).searchParams.get('code')).toBeTruthy()
  })

  test('400: a browser to which the cookies of the request were passed on, without that of the browser', async () => {
    const [{ begin }, citizen] = [await relyingParty(service), await service.citizen()]
    const visit = await arrive(service.url, (await begin()).url)
    await approve(citizen, await visit.scan())
    const stranger = createBrowser(service.url)
    await stranger.open(visit.url)
    stranger.plant(visit.browser.cookies().filter(([key]) => !key.startsWith('tiwala-browser')))
    for (const path of ['', '/continue', '/state'])
      expect((await stranger.request(visit.base + path)).status).toBe(400)
  })

  test('a page whose first response was lost, or that two tabs load at once, stays with its browser', async () => {
    const { begin } = await relyingParty(service)
    type Load = (browser: ReturnType<typeof createBrowser>, page: string) => Promise<unknown>
    const arriveAgainAfter = async (load: Load) => {
      const browser = createBrowser(service.url)
      const { headers } = await browser.request((await begin()).url)
      const page = new URL(headers.get('location')!, service.url).href
      const stranger = createBrowser(service.url)
      stranger.plant(browser.cookies().filter(([key]) => !key.startsWith('tiwala-browser')))
      expect((await stranger.open(page)).status).toBe(400)
      await load(browser, page)
      return [(await browser.open(page)).status, (await browser.request(`${page}/state`)).status]
    }
    const afterLoss = await arriveAgainAfter((browser, page) => {
      const lost = createBrowser(service.url)
      lost.plant(browser.cookies())
      return lost.open(page)
    })
    const inTwoTabs = await arriveAgainAfter(({ open }, page) => Promise.all([open(page), open(page)]))
    expect([afterLoss, inTwoTabs]).toEqual([
      [200, 200],
      [200, 200],
    ])
  })

  test('400: a browser with cookies that the service has not signed', async () => {
    const { begin } = await relyingParty(service)
    const visit = await arrive(service.url, (await begin()).url)
    const stranger = createBrowser(service.url)
    stranger.plant(visit.browser.cookies().filter(([key]) => !key.includes('.sig')))
    expect((await stranger.request(`${visit.base}/state`)).status).toBe(400)
  })

  test('a link on the same device: the browser goes on only with the value that the app brings', async () => {
    const [{ begin, config }, citizen] = [await relyingParty(service), await service.citizen()]
    const { url, checks } = await begin()
    const visit = await arrive(service.url, url)
    const request = await approve(citizen, visit.link())
    expect(request).toMatchObject({ device: 'same' })
    expect((await visit.goOn()).href).toBe(visit.base)
    expect((await createBrowser(service.url).open(request.return_url!)).status).toBe(400)
    const { url: callback } = await visit.browser.open(request.return_url!)
    const tokens = await openid.authorizationCodeGrant(config, callback, checks)
    expect(tokens.claims()).toMatchObject({ given_name: citizen.profile.first_name })
  })

  test('no other site can frame a page', async () => {
    const { begin } = await relyingParty(service)
    const visit = await arrive(service.url, (await begin()).url)
    for (const page of [visit.base, `${service.url}/oidc/auth`, `${service.url}/oidc/session/end`]) {
      const { headers } = await visit.browser.request(page)
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('x-frame-options')).toBe('DENY')
    }
  })

  test('two tabs: each has its own request, and each returns to the partner', async () => {
    const [party, citizen] = [await relyingParty(service), await service.citizen()]
    const browser = createBrowser(service.url)
    const requests = [await party.begin(), await party.begin()] as const
    const tabs = [
      await arrive(service.url, requests[0].url, browser),
      await arrive(service.url, requests[1].url, browser),
    ] as const
    for (const place of [1, 0] as const) {
      await approve(citizen, await tabs[place].scan())
      const tokens = await openid.authorizationCodeGrant(
        party.config,
        await tabs[place].goOn(),
        requests[place].checks,
      )
      expect(tokens.claims()).toMatchObject({ given_name: citizen.profile.first_name })
    }
    for (const { base } of tabs) expect((await browser.open(base)).status).toBe(400)
  })

  test('without JavaScript, the page loads again by itself, and then goes on', async () => {
    const [{ begin }, citizen] = [await relyingParty(service), await service.citizen()]
    const visit = await arrive(service.url, (await begin()).url)
    expect(visit.page.text).toMatch(/<noscript><meta http-equiv="refresh" content="3" \/><\/noscript>/)
    await approve(citizen, await visit.scan())
    expect((await visit.browser.open(visit.base)).url.searchParams.get('code')).toBeTruthy()
  })

  test('the language is that of the browser, or the one that the partner asks for', async () => {
    const { begin, partner } = await relyingParty(service)
    const FILIPINO = { 'Accept-Language': 'tl-PH,en;q=0.5' }
    const open = async (url: string | URL, headers: Record<string, string> = {}) =>
      /<html lang="(\w+)">/.exec((await createBrowser(service.url).open(url, { headers })).text)?.[1]
    const { url } = await begin()
    const { url: asked } = await begin({ ui_locales: 'xx fil-PH en' })
    expect([await open(url), await open(asked)]).toEqual(['en', 'fil'])
    const wrong = authorizationUrl(service.url, partner.code, 'https://other.example/')
    expect([await open(wrong), await open(wrong, FILIPINO)]).toEqual(['en', 'fil'])
    const chosen = await arrive(service.url, asked)
    await chosen.browser.open(`${chosen.base}?ui_locales=en`)
    const cancelled = await chosen.browser.open(`${chosen.base}/cancel`, { method: 'POST' })
    expect(cancelled.text).toContain('<html lang="en">')
    await chosen.browser.open(`${chosen.base}?ui_locales=xx`)
    expect((await chosen.browser.open(chosen.base)).text).toContain('<html lang="en">')
    const visit = await arrive(service.url, url)
    await approve(await service.citizen(), await visit.scan())
    await visit.goOn()
    for (const path of ['/oidc/session/end', '/oidc/session/end/success']) {
      const page = await visit.browser.open(service.url + path, { headers: FILIPINO })
      expect(page.text).toContain('<html lang="fil">')
    }
  })

  test('the partner learns that the citizen cancelled in the browser', async () => {
    const { begin } = await relyingParty(service)
    const visit = await arrive(service.url, (await begin()).url)
    const page = await visit.browser.open(`${visit.base}/cancel`, { method: 'POST' })
    expect(page.text).toContain('Cancelled')
    const { searchParams } = await visit.goOn()
    expect(searchParams.get('error')).toBe('access_denied')
    expect(searchParams.get('iss')).toBe(`${service.url}/oidc`)
  })

  test('an approved request gets one code, also if the browser goes on twice, and cannot be cancelled any more', async () => {
    const [{ begin }, citizen] = [await relyingParty(service), await service.citizen()]
    const visit = await arrive(service.url, (await begin()).url)
    await approve(citizen, await visit.scan())
    const goOnFrom = async ({ request }: typeof visit.browser) => {
      const { status, headers } = await request(`${visit.base}/continue`)
      return { status, location: headers.get('location') }
    }
    expect((await visit.browser.request(`${visit.base}/cancel`, { method: 'POST' })).status).toBe(303)
    expect(await visit.state()).toMatchObject({ next: 'continue' })
    const countCodes = async () =>
      (await sql`select from oidc_state where model = 'AuthorizationCode'`.execute(service.db)).rows.length
    const before = await countCodes()
    // A browser that lost the redirect gets it again.
    const redirects = [await goOnFrom(visit.browser), await goOnFrom(visit.browser)]
    expect(redirects[1]).toEqual(redirects[0])
    expect(redirects[0]!.status).toBe(303)
    const location = redirects[0]!.location!
    const stranger = createBrowser(service.url)
    await stranger.open(visit.url)
    for (const each of [stranger, createBrowser(service.url)]) {
      expect((await goOnFrom(each)).status).toBe(400)
      expect((await each.open(location)).status).toBe(400)
    }
    expect((await visit.browser.open(location)).url.searchParams.get('code')).toBeTruthy()
    // After its code, nothing gives another one.
    expect((await goOnFrom(visit.browser)).status).toBe(400)
    expect((await visit.browser.open(location)).status).toBe(400)
    expect(await countCodes()).toBe(before + 1)
  })
})

describe('the code that the citizen scans', () => {
  test('404: a code that is older than five seconds', async () => {
    const [{ begin }, citizen] = [await relyingParty(service), await service.citizen()]
    const visit = await arrive(service.url, (await begin()).url)
    const scanned = await visit.scan()
    await service.advance(7)
    expect((await refusal(openAs(citizen, scanned))).status).toBe(404)
    expect((await openAs(citizen, await visit.scan())).status).toBe(200)
  })

  test('404: a code with another time or another signature', async () => {
    const [{ begin }, citizen] = [await relyingParty(service), await service.citizen()]
    const visit = await arrive(service.url, (await begin()).url)
    const [name, id, second, mac] = (await visit.scan()).split('-') as [string, string, string, string]
    for (const forged of [
      `${name}-${id}-${Number(second) + 1}-${mac}`,
      `${name}-${id}-${second}-${'0'.repeat(32)}`,
      `TWS2-${id}-${mac}`,
    ])
      expect((await refusal(openAs(citizen, forged))).status).toBe(404)
  })

  test('404: another citizen can neither open, read, approve nor decline a request that was opened', async () => {
    const [{ begin }, citizen, other] = [
      await relyingParty(service),
      await service.citizen(),
      await service.citizen(),
    ]
    const visit = await arrive(service.url, (await begin()).url)
    const { body } = await openAs(citizen, await visit.scan())
    const path = { sign_in_id: body.sign_in_id }
    const items = body.items.map(({ item }) => item)
    for (const attempt of [
      async () => openAs(other, await visit.scan()),
      () => other.app('readSignIn', { path }),
      () => other.app('approveSignIn', { path, body: { items } }),
      () => other.app('declineSignIn', { path }),
    ])
      expect((await refusal(attempt())).status).toBe(404)
    expect(await visit.state()).toEqual({ next: 'wait', is_opened: true })
  })
})

describe('the protocol', () => {
  test('invalid_grant: a code works once, and a second use ends the access token', async () => {
    const { redeem, config, citizen } = await approved()
    const tokens = await redeem()
    for (const _ of ['second', 'third']) expect(await errorOf(redeem())).toBe('invalid_grant')
    expect(await errorOf(openid.fetchUserInfo(config, tokens.access_token, openid.skipSubjectCheck))).toBe(
      'invalid_token',
    )
    expect(await citizen.disclosures()).toHaveLength(1)
  })

  test('invalid_grant: a used code that another partner sends, or without its verifier, ends nothing', async () => {
    const { redeem, config, callback, checks } = await approved()
    const other = await relyingParty(service)
    const tokens = await redeem()
    expect(await errorOf(openid.authorizationCodeGrant(other.config, callback, checks))).toBe('invalid_grant')
    expect(await errorOf(redeem({ pkceCodeVerifier: openid.randomPKCECodeVerifier() }))).toBe('invalid_grant')
    expect(await openid.fetchUserInfo(config, tokens.access_token, tokens.claims()!.sub)).toBeTruthy()
  })

  test('invalid_grant: of ten parallel uses of a code, one discloses', async () => {
    const { redeem, citizen } = await approved()
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => redeem()))
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1)
    expect(await citizen.disclosures()).toHaveLength(1)
  })

  test('invalid_grant: a code of another partner, or with another verifier', async () => {
    const { callback, checks, redeem } = await approved()
    const other = await relyingParty(service)
    expect(await errorOf(openid.authorizationCodeGrant(other.config, callback, checks))).toBe('invalid_grant')
    expect(await errorOf(redeem({ pkceCodeVerifier: openid.randomPKCECodeVerifier() }))).toBe('invalid_grant')
    expect((await redeem()).access_token).toBeTruthy()
  })

  test.each([
    ['no PKCE', { code_challenge: '', code_challenge_method: '' }],
    ['plain PKCE', { code_challenge_method: 'plain' }],
    ['a purpose that is not granted', { purpose: 'other' }],
    ['an implicit response', { response_type: 'id_token token' }],
    ['no scope openid', { scope: 'profile', nonce: '' }],
    ['a scope that is not granted', { scope: 'openid passport' }],
    ['no interaction', { prompt: 'none' }],
  ])('an authorization request with %s returns an error to the partner', async (_what, parameters) => {
    const { begin } = await relyingParty(service)
    const { url } = await begin()
    for (const [name, value] of Object.entries(parameters))
      if (value) url.searchParams.set(name, value)
      else url.searchParams.delete(name)
    const { url: end } = await createBrowser(service.url).open(url)
    expect(end.href.startsWith(REDIRECT_URI)).toBe(true)
    const answer = new URLSearchParams(end.search || end.hash.slice(1))
    expect(answer.get('error')).toBeTruthy()
    expect(answer.get('code')).toBeNull()
  })

  test.each([
    `${REDIRECT_URI}/`,
    `${REDIRECT_URI}?next=https://evil.example`,
    'https://partner.example.evil.example/callback',
    'https://partner.example@evil.example/callback',
    'https://partner.example/callback/../other',
    'http://localhost:3000/callback',
    'https://user@partner.example/callback',
    'https://partner.example:443/callback',
    'https://partner.example:8443/callback',
    'https://PARTNER.example/callback',
    'HTTPS://partner.example/callback',
    'http://partner.example/callback',
    'https://partner.example./callback',
    'https://partner.example/CALLBACK',
    'https://partner.example/%63allback',
    'https://partner.example/callback%00',
    'https://partner.example/callback%0d%0aLocation:https://evil.example',
    'https://partner.example/callback#https://evil.example',
    'https://partner.example\\@evil.example/callback',
    ' https://partner.example/callback',
    '//evil.example/callback',
    'javascript:alert(1)',
  ])('400: the redirect URI %s is not registered, and the browser stays', async (uri) => {
    const { begin } = await relyingParty(service)
    const { url } = await begin({ redirect_uri: uri })
    const page = await createBrowser(service.url).open(url)
    expect(page.url.origin).toBe(service.url)
    expect(page.status).toBe(400)
    expect(page.text).toContain('Something is wrong with this link')
  })

  test.each([
    'http://evil.example/callback',
    'http://localhost.evil.example/callback',
    'http://user@localhost:3000/callback',
    'http://localhost:3000/callback#a',
    'com.example.evil://localhost:3000/callback',
  ])('400: the redirect URI %s, also for the partner of a sandbox', async (uri) => {
    const page = await createBrowser(service.url).open(authorizationUrl(service.url, 'SANDBOX', uri))
    expect([page.status, page.url.origin]).toEqual([400, service.url])
  })

  test('a parameter that is given twice, or that differs from a pushed one, changes nothing', async () => {
    const { begin } = await relyingParty(service)
    const { url } = await begin()
    url.searchParams.append('redirect_uri', 'https://evil.example/callback')
    const { searchParams } = (await createBrowser(service.url).open(url)).url
    expect([searchParams.get('error'), searchParams.get('code')]).toEqual(['invalid_request', null])

    const { url: pushed } = await begin({ scope: 'openid' }, { isPushed: true })
    pushed.searchParams.set('redirect_uri', 'https://evil.example/callback')
    pushed.searchParams.set('scope', 'openid profile')
    const [visit, citizen] = [await arrive(service.url, pushed), await service.citizen()]
    expect((await approve(citizen, await visit.scan())).items).toEqual([])
    expect((await visit.goOn()).href.startsWith(`${REDIRECT_URI}?code=`)).toBe(true)
  })

  test('a request names a citizen: login_required if another one approves', async () => {
    const { redeem, citizen, begin } = await approved()
    const tokens = await redeem()
    const { sub } = tokens.claims()!
    const REQUESTS = [
      { id_token_hint: tokens.id_token! },
      { claims: JSON.stringify({ id_token: { sub: { value: sub } } }) },
    ] as Record<string, string>[]
    const outcomeOf = async (request: Record<string, string>, approver: typeof citizen) => {
      const visit = await arrive(service.url, (await begin(request)).url)
      await approve(approver, await visit.scan())
      const { searchParams } = await visit.goOn()
      return searchParams.get('error') ?? (searchParams.get('code') && 'code')
    }
    const other = await service.citizen()
    for (const request of REQUESTS)
      expect([await outcomeOf(request, citizen), await outcomeOf(request, other)]).toEqual([
        'code',
        'login_required',
      ])
    expect(await other.disclosures()).toEqual([])
  })

  test('invalid_request: the id_token_hint of another partner', async () => {
    const { id_token } = await (await approved()).redeem()
    const { begin } = await relyingParty(service)
    const { url } = await begin({ id_token_hint: id_token! })
    const { searchParams } = (await createBrowser(service.url).open(url)).url
    expect(searchParams.get('error')).toBe('invalid_request')
  })

  test('the claims parameter gives no item that is not granted', async () => {
    const asked = { passport: { essential: true }, uniqid: null, family_name: null }
    const party = await relyingParty(service)
    const { url, checks } = await party.begin({
      scope: 'openid',
      claims: JSON.stringify({ id_token: asked, userinfo: asked }),
    })
    const [visit, citizen] = [await arrive(service.url, url), await service.citizen()]
    const { items } = await approve(citizen, await visit.scan())
    expect(items.map(({ item }) => item)).toEqual(['family_name'])
    const tokens = await openid.authorizationCodeGrant(party.config, await visit.goOn(), checks)
    const { sub } = tokens.claims()!
    const { family_name } = await openid.fetchUserInfo(party.config, tokens.access_token, sub)
    expect(tokens.claims()).toMatchObject({ family_name })
    for (const name of ['passport', 'uniqid']) expect(tokens.claims()).not.toHaveProperty(name)
  })

  test('400, never 500: values that no database column can hold', async () => {
    const { begin } = await relyingParty(service)
    const { url } = await begin({ max_age: String(Number.MAX_SAFE_INTEGER), state: '\0' })
    expect((await createBrowser(service.url).open(url)).url.pathname).toMatch(/^\/oidc\/sign-in\//)
    url.searchParams.set('client_id', '\0')
    expect((await createBrowser(service.url).open(url)).status).toBe(400)
    for (const path of ['token', 'request', 'session/end'])
      expect(
        (
          await fetch(`${service.url}/oidc/${path}`, {
            method: 'POST',
            body: new URLSearchParams({ client_id: '\0', client_secret: '\0', code: '\0' }),
          })
        ).status,
      ).toBeOneOf([400, 401])
  })
})

describe('logout', () => {
  test.each([
    'https://evil.example/',
    'https://partner.example@evil.example/',
    'https://partner.example.evil.example/',
    'https://partner.example',
    'https://partner.example/?next=https://evil.example',
    '//evil.example/',
    'javascript:alert(1)',
  ])('400: the address %s is not registered, and the browser stays', async (post_logout_redirect_uri) => {
    const { partner } = await relyingParty(service)
    const url = new URL(`${service.url}/oidc/session/end`)
    url.search = String(new URLSearchParams({ client_id: partner.code, post_logout_redirect_uri }))
    const page = await createBrowser(service.url).open(url)
    expect([page.status, page.url.origin]).toEqual([400, service.url])
  })

  test('without a partner, an address is ignored; the hint of a partner is not enough for another one', async () => {
    const { redeem, config } = await approved()
    const { id_token } = await redeem()
    const other = await relyingParty(service)
    const post_logout_redirect_uri = 'https://partner.example/'
    const url = new URL(config.serverMetadata().end_session_endpoint!)
    url.search = String(new URLSearchParams({ post_logout_redirect_uri }))
    expect((await createBrowser(service.url).open(url)).url.origin).toBe(service.url)
    url.search = String(
      new URLSearchParams({
        client_id: other.partner.code,
        id_token_hint: id_token!,
        post_logout_redirect_uri,
      }),
    )
    expect((await createBrowser(service.url).open(url)).status).toBe(400)
  })

  test('another site cannot end a session: the form of the page has a secret of the session', async () => {
    const { redeem, config, visit } = await approved()
    const tokens = await redeem()
    for (const xsrf of ['', '0'.repeat(21)]) {
      const body = new URLSearchParams({ xsrf, logout: 'yes' })
      const page = await visit.browser.open(`${service.url}/oidc/session/end/confirm`, {
        method: 'POST',
        body,
      })
      expect(page.status).toBe(400)
    }
    expect(await openid.fetchUserInfo(config, tokens.access_token, openid.skipSubjectCheck)).toBeTruthy()
  })
})

describe('the partner changes its registration while the citizen is asked', () => {
  test.each(['approveSignIn', 'declineSignIn'] as const)(
    '400: after %s, an address that is not registered any more gets nothing',
    async (answer) => {
      const [{ begin, partner }, citizen] = [await relyingParty(service), await service.citizen()]
      const visit = await arrive(service.url, (await begin()).url)
      if (answer === 'approveSignIn') await approve(citizen, await visit.scan())
      else {
        const { body } = await openAs(citizen, await visit.scan())
        await citizen.app('declineSignIn', { path: { sign_in_id: body.sign_in_id } })
      }
      await register(service.operator, partner.code, { redirect_uris: ['https://partner.example/other'] })
      const { url, status } = await visit.browser.open(`${visit.base}/continue`)
      expect([url.href, status]).toEqual([`${visit.base}/continue`, 400])
    },
  )

  test('404, 200: a request whose purpose is removed cannot be approved, but declined', async () => {
    const [{ begin, partner }, citizen] = [await relyingParty(service), await service.citizen()]
    const visit = await arrive(service.url, (await begin()).url)
    const path = { sign_in_id: (await openAs(citizen, await visit.scan())).body.sign_in_id }
    const [purpose] = registration().purposes
    await register(service.operator, partner.code, { purposes: [{ ...purpose!, name: 'other' }] })
    const approval = citizen.app('approveSignIn', { path, body: { items: ['given_name'] } })
    expect((await refusal(approval)).status).toBe(404)
    expect((await citizen.app('declineSignIn', { path })).body.state).toBe('DECLINED')
    expect((await visit.goOn()).searchParams.get('error')).toBe('access_denied')
  })
})

test('a request goes on when the session of an earlier sign-in ends, as at a sign-out in another tab', async () => {
  const { visit: earlier, redeem, begin, citizen } = await approved()
  await redeem()
  const visit = await arrive(service.url, (await begin()).url, earlier.browser)
  await sql`delete from oidc_state where model = 'Session'`.execute(service.db)
  await approve(citizen, await visit.scan())
  expect((await visit.goOn()).searchParams.get('code')).toBeTruthy()
})

test('access_denied: the browser returns more than five minutes after the approval', async () => {
  const [{ begin }, citizen] = [await relyingParty(service), await service.citizen()]
  const { url, checks } = await begin()
  const visit = await arrive(service.url, url)
  const request = await approve(citizen, visit.link())
  await service.advance(320)
  const { searchParams } = (await visit.browser.open(request.return_url!)).url
  expect([searchParams.get('error'), searchParams.get('state')]).toEqual([
    'access_denied',
    checks.expectedState,
  ])
})

test('a pushed request gives one code, also if two browsers open it and the citizens take their time', async () => {
  const { begin } = await relyingParty(service)
  const { url } = await begin({}, { isPushed: true })
  const visits = [await arrive(service.url, url), await arrive(service.url, url)]
  await service.advance(61)
  const codes: (string | null)[] = []
  for (const visit of visits) {
    await approve(await service.citizen(), await visit.scan())
    codes.push((await visit.goOn()).searchParams.get('code'))
  }
  expect(codes).toEqual([expect.any(String), null])
})

test('303, never 500: a value to return with that is not ASCII', async () => {
  const [{ begin }, citizen] = [await relyingParty(service), await service.citizen()]
  const visit = await arrive(service.url, (await begin()).url)
  await approve(citizen, visit.link())
  const { url } = await visit.browser.open(`${visit.base}/return?nonce=${'A'.repeat(31)}%C3%A9`)
  expect(url.href).toBe(visit.base)
})

describe('what ends an open sign-in', () => {
  test('the partner is suspended: neither the code nor the access token works', async () => {
    const [first, second] = [await approved(), await approved()]
    const tokens = await second.redeem()
    for (const { partner } of [first, second])
      await service.operator('suspendPartner', { path: { partner_code: partner.code } })
    expect(await errorOf(first.redeem())).toBe('invalid_client')
    const userinfo = openid.fetchUserInfo(second.config, tokens.access_token, openid.skipSubjectCheck)
    expect(await errorOf(userinfo)).toBe('invalid_token')
    expect(await first.citizen.disclosures()).toEqual([])
  })

  test.each([
    ['freezes everything', { frozen: true }],
    ['blocks the partner', { frozen: false }],
  ])('the citizen %s: neither the code nor the access token works', async (_what, preferences) => {
    const [first, second] = [await approved(), await approved()]
    const tokens = await second.redeem()
    for (const { citizen, partner } of [first, second])
      await citizen.app('replacePreferences', {
        body: { ...preferences, blocked_partners: preferences.frozen ? [] : [partner.code] },
      })
    expect(await errorOf(first.redeem())).toBe('invalid_grant')
    const userinfo = openid.fetchUserInfo(second.config, tokens.access_token, openid.skipSubjectCheck)
    expect(await errorOf(userinfo)).toBe('invalid_token')
  })

  test('the access token ends after ten minutes', async () => {
    const { redeem, config } = await approved()
    const { access_token, expires_in } = await redeem()
    const read = () => openid.fetchUserInfo(config, access_token, openid.skipSubjectCheck)
    expect(expires_in).toBe(600)
    await read()
    await service.advance(601)
    expect(await errorOf(read())).toBe('invalid_token')
  })

  test('the citizen is erased', async () => {
    const { citizen, redeem } = await approved()
    await service.operator('eraseCitizen', { path: { uniqid: citizen.uniqid } })
    expect(await errorOf(redeem())).toBe('invalid_grant')
  })

  test('an item is no longer granted', async () => {
    const { partner, redeem } = await approved()
    const body = registration()
    body.purposes[0]!.optional_items = []
    await service.operator('setSignInRegistration', { path: { partner_code: partner.code }, body })
    expect(await errorOf(redeem())).toBe('invalid_grant')
  })

  test('the secret that redeemed the code is revoked: the access token ends', async () => {
    const { partner, redeem, config } = await approved()
    const tokens = await redeem()
    const path = { partner_code: partner.code }
    const { credentials } = (await service.operator('listCredentials', { path })).body
    const { id: credential_id } = credentials.find(({ kind }) => kind === 'partner_secret')!
    await service.operator('revokeCredential', { path: { ...path, credential_id } })
    const userinfo = openid.fetchUserInfo(config, tokens.access_token, openid.skipSubjectCheck)
    expect(await errorOf(userinfo)).toBe('invalid_token')
  })

  test('a backup was restored: nothing of the epoch before works', async () => {
    const { redeem } = await approved()
    await service.operator('completeRestore', {})
    expect(await errorOf(redeem())).toBe('invalid_grant')
  })

  test('404, 409: a backup was restored: a request of before can neither be opened nor approved', async () => {
    const [{ begin }, citizen] = [await relyingParty(service), await service.citizen()]
    const [opened, scanned] = [
      await arrive(service.url, (await begin()).url),
      await arrive(service.url, (await begin()).url),
    ]
    const { body } = await openAs(citizen, await opened.scan())
    const code = await scanned.scan()
    await service.operator('completeRestore', {})
    expect((await refusal(openAs(citizen, code))).status).toBe(404)
    const items = body.items.map(({ item }) => item)
    const approval = citizen.app('approveSignIn', { path: { sign_in_id: body.sign_in_id }, body: { items } })
    expect((await refusal(approval)).code).toBe('authorization_not_pending')
  })
})

describe('items and assurance', () => {
  test('422: the citizen approves an item more, or a required one less', async () => {
    const [{ begin }, citizen] = [await relyingParty(service), await service.citizen()]
    const visit = await arrive(service.url, (await begin({ scope: 'openid profile' })).url)
    const code = await visit.scan()
    for (const choose of [(items: string[]) => [...items, 'email'], (items: string[]) => items.slice(1)])
      expect((await refusal(approve(citizen, code, choose))).status).toBe(422)
    expect(await approve(citizen, code)).toMatchObject({ state: 'APPROVED' })
  })

  test('403 assurance_too_low: the purpose needs more than the token of the citizen has', async () => {
    const changes = registration()
    changes.purposes[0]!.minimum_acr = 'substantial'
    const [{ begin }, citizen] = [await relyingParty(service, { changes }), await service.citizen()]
    const visit = await arrive(service.url, (await begin()).url)
    const code = await visit.scan()
    expect((await refusal(approve(citizen, code))).code).toBe('assurance_too_low')
    expect(await visit.state()).toMatchObject({ next: 'wait' })
  })

  test('403 assurance_too_low: the partner needs a recent authentication', async () => {
    const [{ begin }, citizen] = [await relyingParty(service), await service.citizen()]
    await service.advance(120)
    const visit = await arrive(service.url, (await begin({ max_age: '60' })).url)
    expect((await refusal(approve(citizen, await visit.scan()))).code).toBe('assurance_too_low')
  })

  test('the sub of a citizen is another one at each partner, and the same at each sign-in', async () => {
    const citizen = await service.citizen()
    const signIn = async (party: Awaited<ReturnType<typeof relyingParty>>) => {
      const { url, checks } = await party.begin()
      const visit = await arrive(service.url, url)
      await approve(citizen, await visit.scan())
      return (await openid.authorizationCodeGrant(party.config, await visit.goOn(), checks)).claims()!.sub
    }
    const [first, second] = [await relyingParty(service), await relyingParty(service)]
    const sub = await signIn(first)
    expect(await signIn(first)).toBe(sub)
    expect(await signIn(second)).not.toBe(sub)
  })
})

test('409: nothing is approved for a partner that is suspended meanwhile', async () => {
  const [{ begin, partner }, citizen] = [await relyingParty(service), await service.citizen()]
  const visit = await arrive(service.url, (await begin()).url)
  const { body } = await openAs(citizen, await visit.scan())
  await service.operator('suspendPartner', { path: { partner_code: partner.code } })
  const items = body.items.map(({ item }) => item)
  const approval = citizen.app('approveSignIn', { path: { sign_in_id: body.sign_in_id }, body: { items } })
  expect((await refusal(approval)).code).toBe('authorization_not_pending')
})

test('409: a declined request cannot be approved, and the partner learns it', async () => {
  const [{ begin }, citizen] = [await relyingParty(service), await service.citizen()]
  const visit = await arrive(service.url, (await begin()).url)
  const { body } = await openAs(citizen, await visit.scan())
  const path = { sign_in_id: body.sign_in_id }
  expect((await citizen.app('declineSignIn', { path })).body.state).toBe('DECLINED')
  const items = body.items.map(({ item }) => item)
  expect((await refusal(citizen.app('approveSignIn', { path, body: { items } }))).status).toBe(409)
  expect((await visit.browser.open(visit.base)).text).toContain('You declined')
  expect((await visit.goOn()).searchParams.get('error')).toBe('access_denied')
})

test('a request that is not answered in five minutes expires', async () => {
  const [{ begin }, citizen] = [await relyingParty(service), await service.citizen()]
  const visit = await arrive(service.url, (await begin()).url)
  const { body } = await openAs(citizen, await visit.scan())
  await service.advance(301)
  const path = { sign_in_id: body.sign_in_id }
  const items = body.items.map(({ item }) => item)
  expect((await refusal(citizen.app('approveSignIn', { path, body: { items } }))).status).toBe(409)
  expect((await refusal(citizen.app('declineSignIn', { path }))).code).toBe('authorization_not_pending')
  expect((await citizen.app('readSignIn', { path })).body.state).toBe('EXPIRED')
  expect((await visit.browser.open(visit.base)).text).toContain('The time is over')
})

test('409: a frozen citizen cannot approve, and can once nothing is frozen', async () => {
  const [{ begin }, citizen] = [await relyingParty(service), await service.citizen()]
  const visit = await arrive(service.url, (await begin()).url)
  const { body } = await openAs(citizen, await visit.scan())
  const call = {
    path: { sign_in_id: body.sign_in_id },
    body: { items: body.items.map(({ item }) => item) },
  }
  await citizen.setPreferences({ frozen: true })
  expect((await refusal(citizen.app('approveSignIn', call))).code).toBe('refused_by_preferences')
  await citizen.setPreferences({})
  expect((await citizen.app('approveSignIn', call)).body.state).toBe('APPROVED')
})
