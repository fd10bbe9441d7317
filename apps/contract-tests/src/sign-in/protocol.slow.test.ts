import { exportJWK, generateKeyPair } from 'jose'
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

const service = await startServiceForFile()

type Party = Awaited<ReturnType<typeof relyingParty>>

async function signIn({ begin, config }: Party, options: Parameters<Party['begin']>[1] = {}) {
  const citizen = await service.citizen()
  const { url, checks } = await begin({}, options)
  const visit = await arrive(service.url, url)
  await approve(citizen, await visit.scan())
  const callback = await visit.goOn()
  const redeem = (DPoP = options.DPoP) =>
    openid.authorizationCodeGrant(config, callback, checks, undefined, DPoP && { DPoP })
  return { citizen, callback, visit, redeem }
}

async function keysOfPartner() {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const { kty, crv, x, y } = await exportJWK(publicKey)
  return { privateKey, keys: [{ kty: kty as 'EC', crv: crv!, x: x!, y: y!, kid: 'a', alg: 'ES256' }] }
}

const fapiParty = async () => {
  const { privateKey, keys } = await keysOfPartner()
  const party = await relyingParty(service, {
    changes: { profile: 'fapi2', id_token_signed_response_alg: 'ES256', keys },
    authentication: openid.PrivateKeyJwt({ key: privateKey, kid: 'a' }),
    metadata: { client_secret: undefined, id_token_signed_response_alg: 'ES256' },
  })
  return { ...party, DPoP: openid.getDPoPHandle(party.config, await openid.randomDPoPKeyPair('ES256')) }
}

describe('authentication of the partner', () => {
  test.each([
    ['client_secret_post', openid.ClientSecretPost()],
    ['client_secret_basic', openid.ClientSecretBasic()],
  ])('%s, with each of two valid secrets', async (_name, authentication) => {
    const partner = await service.partner()
    const first = await relyingParty(service, { partner, authentication })
    const { body } = await service.operator('rotateCredential', {
      path: { partner_code: partner.code },
      body: { kind: 'partner_secret', grace_days: 1 },
    })
    const rotated = { ...partner, credentials: { ...partner.credentials, partner_secret: body.secret } }
    const second = await relyingParty(service, { partner: rotated, authentication })
    for (const party of [first, second]) expect((await (await signIn(party)).redeem()).id_token).toBeTruthy()
  })

  test('invalid_client: a wrong secret, and a secret of a partner with keys', async () => {
    const { keys } = await keysOfPartner()
    for (const setup of [{ metadata: { client_secret: 'wrong' } }, { changes: { keys } }]) {
      const { redeem } = await signIn(await relyingParty(service, setup))
      await expect(redeem()).rejects.toMatchObject({ error: 'invalid_client' })
    }
  })

  test('invalid_client: the address of the partner is not in its list', async () => {
    const partner = await service.partner()
    const { redeem } = await signIn(await relyingParty(service, { partner }))
    await partner.change({ ip_allow_list: ['192.0.2.1'] })
    await expect(redeem()).rejects.toMatchObject({ error: 'invalid_client' })
  })

  test('401: userinfo from an address that is not in the list of the partner', async () => {
    const party = await relyingParty(service)
    const { redeem } = await signIn(party)
    const { access_token } = await redeem()
    await party.partner.change({ ip_allow_list: ['192.0.2.1'] })
    const read = openid.fetchUserInfo(party.config, access_token, openid.skipSubjectCheck)
    await expect(read).rejects.toMatchObject({ status: 401 })
  })

  test('429: private_key_jwt counts for the limit of tokens, as a secret does', async () => {
    const { privateKey, keys } = await keysOfPartner()
    const { partner, begin } = await relyingParty(service, {
      changes: { keys },
      authentication: openid.PrivateKeyJwt({ key: privateKey, kid: 'a' }),
      metadata: { client_secret: undefined },
    })
    await partner.change({ limits: { tokens_per_minute: 1 } })
    await begin({}, { isPushed: true })
    await expect(begin({}, { isPushed: true })).rejects.toMatchObject({ status: 429 })
  })

  test('private_key_jwt with ES256 ID tokens', async () => {
    const { privateKey, keys } = await keysOfPartner()
    const party = await relyingParty(service, {
      changes: { keys, id_token_signed_response_alg: 'ES256' },
      authentication: openid.PrivateKeyJwt({ key: privateKey, kid: 'a' }),
      metadata: { client_secret: undefined, id_token_signed_response_alg: 'ES256' },
    })
    const { redeem } = await signIn(party, { isPushed: true })
    expect((await redeem()).claims()).toMatchObject({ iss: `${service.url}/oidc`, aud: party.partner.code })
  })
})

describe('FAPI 2.0', () => {
  test('pushed request, private_key_jwt, DPoP: the citizen signs in', async () => {
    const party = await fapiParty()
    const { redeem, citizen } = await signIn(party, { isPushed: true, DPoP: party.DPoP })
    const tokens = await redeem()
    expect(tokens.token_type).toBe('dpop')
    const sub = tokens.claims()!.sub
    expect(
      await openid.fetchUserInfo(party.config, tokens.access_token, sub, { DPoP: party.DPoP }),
    ).toMatchObject({
      given_name: citizen.profile.first_name,
    })
    await expect(openid.fetchUserInfo(party.config, tokens.access_token, sub)).rejects.toMatchObject({
      status: 401,
    })
  })

  test('an authorization request that was not pushed is refused', async () => {
    const { partner } = await fapiParty()
    const { url, status } = await createBrowser(service.url).open(authorizationUrl(service.url, partner.code))
    expect(url.searchParams.get('error') ?? status).toSatisfy(
      (error) => error === 'invalid_request' || error === 400,
    )
  })

  test('a code is redeemed with the proof of its own key only', async () => {
    const party = await fapiParty()
    const { redeem } = await signIn(party, { isPushed: true, DPoP: party.DPoP })
    const other = openid.getDPoPHandle(party.config, await openid.randomDPoPKeyPair('ES256'))
    await expect(redeem(other)).rejects.toMatchObject({ error: 'invalid_grant' })
  })
})

test('a pushed request, a code and an access token name the cell of the database', async () => {
  const { visit, callback, redeem } = await signIn(await relyingParty(service), { isPushed: true })
  const pushed = new URL(visit.url).searchParams.get('request_uri')!
  expect(pushed).toMatch(/^urn:ietf:params:oauth:request_uri:00/)
  expect(callback.searchParams.get('code')).toMatch(/^00/)
  expect((await redeem()).access_token).toMatch(/^00/)
})

test('invalid_request: a pushed request cannot be used again after its sign-in', async () => {
  const { visit } = await signIn(await relyingParty(service), { isPushed: true })
  const { searchParams } = new URL(visit.url)
  expect(searchParams.get('request_uri')).toBeTruthy()
  const again = await visit.browser.open(visit.url)
  expect(again.url.searchParams.get('error')).toBe('invalid_request_uri')
  expect(again.url.searchParams.get('code')).toBeNull()
})

test('a partner with addresses on several hosts: the citizen has one sub', async () => {
  const OTHER = 'https://www.other.example/callback'
  const party = await relyingParty(service, { changes: { redirect_uris: [REDIRECT_URI, OTHER] } })
  const citizen = await service.citizen()
  const subs = []
  for (const redirect_uri of [REDIRECT_URI, OTHER]) {
    const { url, checks } = await party.begin({ redirect_uri })
    const visit = await arrive(service.url, url)
    await approve(citizen, await visit.scan())
    const callback = await visit.goOn()
    expect(callback.origin).toBe(new URL(redirect_uri).origin)
    subs.push((await openid.authorizationCodeGrant(party.config, callback, checks)).claims()!.sub)
  }
  expect(subs[1]).toBe(subs[0])
})

test('a request without a purpose is for the first one, also after they were registered in another order', async () => {
  const [usual] = registration().purposes
  const purposes = ['one', 'two'].map((name) => ({ ...usual!, name, text: `To do ${name}.` }))
  const party = await relyingParty(service, { changes: { purposes } })
  const read = async () => (await arrive(service.url, (await party.begin()).url)).page.text
  expect(await read()).toContain('To do one.')
  await register(service.operator, party.partner.code, { purposes: purposes.toReversed() })
  expect(await read()).toContain('To do two.')
})

test('a registration replaces each part of the one before', async () => {
  const { code } = await service.partner()
  const read = async () =>
    (await service.operator('readSignInRegistration', { path: { partner_code: code } })).body
  const [usual] = registration().purposes
  const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'
  const others = {
    redirect_uris: ['https://other.example/callback'],
    post_logout_redirect_uris: [],
    profile: 'fapi2' as const,
    id_token_signed_response_alg: 'ES256' as const,
    purposes: [{ ...usual!, name: 'other' }],
  }
  await register(service.operator, code, { ...others, jwks_url: 'https://partner.example/jwks' })
  expect(await read()).toEqual(registration({ ...others, jwks_url: 'https://partner.example/jwks' }))
  const keys = [{ kty: 'OKP' as const, crv: 'Ed25519', x }]
  await register(service.operator, code, { ...others, keys })
  expect(await read()).toEqual(registration({ ...others, keys }))
  await register(service.operator, code)
  expect(await read()).toEqual(registration())
})

test('a partner keeps its purposes when another one registers others', async () => {
  const [partner, other] = [await service.partner(), await service.partner()]
  await register(service.operator, partner.code)
  const [usual] = registration().purposes
  await register(service.operator, other.code, { purposes: [{ ...usual!, name: 'another' }] })
  const { body } = await service.operator('readSignInRegistration', { path: { partner_code: partner.code } })
  expect(body.purposes).toEqual(registration().purposes)
})

describe('422: a registration', () => {
  const usual = registration().purposes[0]!
  const KEY = { kty: 'OKP' as const, crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }
  const jwks_url = 'https://a.example/jwks'
  const withPurpose = (change: Partial<typeof usual>) => ({ purposes: [{ ...usual, ...change }] })
  test.each<[field: string, changes: Parameters<typeof registration>[0]]>([
    ['redirect_uris.0', { redirect_uris: ['http://partner.example/callback'] }],
    ['redirect_uris.1', { redirect_uris: [REDIRECT_URI, `${REDIRECT_URI}#a`] }],
    ['redirect_uris.0', { redirect_uris: [`${REDIRECT_URI}?n=Pe%F1a`] }],
    ['redirect_uris.0', { redirect_uris: [`${REDIRECT_URI}?flag`] }],
    ['redirect_uris.0', { redirect_uris: [`${REDIRECT_URI}?to=a%20b`] }],
    ['redirect_uris.0', { redirect_uris: [`${REDIRECT_URI}?a=1&state=2`] }],
    ['post_logout_redirect_uris.0', { post_logout_redirect_uris: ['http://partner.example/'] }],
    ['jwks_url', { jwks_url: 'https://10.0.0.1/jwks' }],
    ['keys', { jwks_url, keys: [KEY] }],
    ['keys', { profile: 'fapi2', id_token_signed_response_alg: 'ES256' }],
    ['id_token_signed_response_alg', { profile: 'fapi2', jwks_url }],
    ['purposes.1.name', { purposes: [usual, usual] }],
    ['purposes.0.optional_items', withPurpose({ optional_items: ['given_name'] })],
    ['purposes.0.minimum_acr', withPurpose({ minimum_acr: 'unknown' })],
    // One letter is Cyrillic.
    ['purpose', withPurpose({ text: 'To open your \u0430ccount.' })],
  ])('with a wrong value of %s: %j', async (field, changes) => {
    const { code } = await service.partner()
    const { fields } = await refusal(register(service.operator, code, changes))
    expect(Object.keys(fields)).toEqual([field])
  })
})

test('the name and the purpose of a partner are text on the page, not markup', async () => {
  const partner = await service.partner({ name: 'Bank <i>one</i>' })
  const changes = registration()
  changes.purposes[0]!.text = 'To <i>open</i> it.'
  const { begin } = await relyingParty(service, { partner, changes })
  const { page } = await arrive(service.url, (await begin()).url)
  expect(page.text).toContain('Bank &#60;i&#62;one')
  expect(page.text).toContain('To &#60;i&#62;open')
  expect(page.text).not.toContain('<i>')
})

test('a form of a partner begins a logout, as a link does', async () => {
  const { partner } = await relyingParty(service)
  const response = await fetch(`${service.url}/oidc/session/end`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ client_id: partner.code, state: 'a b' }),
  })
  expect([response.status, response.headers.get('location')]).toEqual([
    303,
    `/oidc/session/end?client_id=${partner.code}&state=a+b`,
  ])
})

test('logout: the browser returns to the registered address, and the access token ends', async () => {
  const party = await relyingParty(service)
  const { redeem, visit } = await signIn(party)
  const tokens = await redeem()
  const url = openid.buildEndSessionUrl(party.config, {
    id_token_hint: tokens.id_token!,
    post_logout_redirect_uri: 'https://partner.example/',
    state: 'after',
  })
  const page = await visit.browser.open(url)
  const [, action] = /action="([^"]+)"/.exec(page.text)!
  const [, xsrf] = /name="xsrf" value="([^"]+)"/.exec(page.text)!
  const end = await visit.browser.open(action!, {
    method: 'POST',
    body: new URLSearchParams({ xsrf: xsrf!, logout: 'yes' }),
  })
  expect(end.url.href).toBe('https://partner.example/?state=after')
  await expect(
    openid.fetchUserInfo(party.config, tokens.access_token, openid.skipSubjectCheck),
  ).rejects.toMatchObject({ status: 401 })
})

test('two citizens sign in one after the other in one browser', async () => {
  const party = await relyingParty(service)
  const browser = createBrowser(service.url)
  const subs = []
  for (const citizen of [await service.citizen(), await service.citizen()]) {
    const { url, checks } = await party.begin()
    const visit = await arrive(service.url, url, browser)
    await approve(citizen, await visit.scan())
    let end = await browser.open(`${visit.base}/continue`)
    const [, action] = /action="([^"]+)"/.exec(end.text) ?? []
    if (action) {
      const [, xsrf] = /name="xsrf" value="([^"]+)"/.exec(end.text)!
      end = await browser.open(action, {
        method: 'POST',
        body: new URLSearchParams({ xsrf: xsrf!, logout: 'yes' }),
      })
    }
    subs.push((await openid.authorizationCodeGrant(party.config, end.url, checks)).claims()!.sub)
  }
  expect(new Set(subs).size).toBe(2)
})

test('the database names no citizen, token or secret of the protocol in clear text', async () => {
  const party = await relyingParty(service)
  const { redeem, callback, citizen } = await signIn(party)
  const tokens = await redeem()
  const dump = await service.dumpDatabase()
  for (const secret of [
    tokens.access_token,
    callback.searchParams.get('code')!,
    citizen.uniqid,
    tokens.id_token!,
  ])
    expect(dump).not.toContain(secret)
})

test('a page that was closed no longer waits for the citizen', async () => {
  const { partner } = await relyingParty(service)
  const { base, browser } = await arrive(service.url, authorizationUrl(service.url, partner.code))
  const before = service.waiting()
  const { body } = await browser.request(`${base}/changes`)
  expect(service.waiting()).toBe(before + 1)
  await body!.cancel()
  await expect.poll(() => service.waiting()).toBe(before)
})
