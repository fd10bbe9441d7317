// Which identity tokens the server accepts.
import { createHmac, createPublicKey } from 'node:crypto'
import {
  base64url,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTPayload,
  SignJWT,
} from 'jose'
import { describe, expect, test } from 'vitest'
import { createVerifyIdentity, SANDBOX_ISSUER, scopesOf } from '../../src/authentication/identity-tokens.ts'
import type { Failure } from '../../src/failure.ts'

const HOUR = 3_600
const MAX_HOURS = 24
const [issuer, audience] = ['https://identity.example', 'tiwala-citizen']

const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
/**
 * Without `alg`, as many providers publish it. Only the server's own list says which algorithms are allowed.
 */
const rsa: JWK = { ...(await exportJWK(publicKey)), kid: 'rsa' }
const verify = createVerifyIdentity(
  { issuer, audience, maxHours: MAX_HOURS },
  createLocalJWKSet({ keys: [rsa] }),
)

const now = () => Math.floor(Date.now() / 1000)
const claims = (): JWTPayload => ({ sub: 'CTZ-1', iss: issuer, aud: audience, iat: now(), exp: now() + HOUR })
type Token = { header?: object; changed?: object; without?: string[] }

const sign = async ({ header = {}, changed = {}, without = [] }: Token) => {
  const payload = Object.fromEntries(
    Object.entries({ ...claims(), ...changed }).filter(([name]) => !without.includes(name)),
  )
  return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'rsa', ...header }).sign(privateKey)
}
const outcome = (token: string) =>
  verify(`Bearer ${token}`).then(
    () => 'accepted',
    ({ code }: { code: string }) => code,
  )
const outcomeOf = async (token: Token) => outcome(await sign(token))

test('a token with all claims is accepted', async () => {
  expect(await outcomeOf({})).toBe('accepted')
})

const otherKey = await exportJWK((await generateKeyPair('RS256')).publicKey)
const weakAlgorithm = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 1024,
  publicExponent: Uint8Array.of(1, 0, 1),
}
const weakPair = await crypto.subtle.generateKey(weakAlgorithm, true, ['sign', 'verify'])
const { n, e } = await crypto.subtle.exportKey('jwk', weakPair.publicKey)

describe('a provider with several keys that fit', () => {
  const others = Array.from({ length: 32 }, () => otherKey)
  const { kid: _, ...withoutKid } = rsa
  const unusable = { kty: 'RSA', n, e }
  const outcomeWith = async (published: object[], token: Token = { header: { kid: undefined } }) => {
    const keySet = createLocalJWKSet({ keys: JSON.parse(JSON.stringify(published)) })
    const verifyWith = createVerifyIdentity({ issuer, audience, maxHours: MAX_HOURS }, keySet)
    return verifyWith(`Bearer ${await sign(token)}`).then(
      () => 'accepted',
      ({ code, reason }: Failure) => [code, reason].filter(Boolean).join(': '),
    )
  }

  test.each([
    ['accepted', 'the last one signed', [...others.slice(1), withoutKid]],
    ['accepted', 'one cannot be used', [unusable, withoutKid, { ...withoutKid, n: '!' }]],
    ['token_invalid: signature', 'none signed', others.slice(2)],
    ['token_invalid: signature', 'none signed, and one cannot be used', [...others.slice(2), unusable]],
    ['token_invalid: more than 32 keys fit', 'the 33rd signed', [...others, withoutKid]],
    ['unavailable', 'none can be used', [unusable, unusable]],
  ])('%s: %s', async (outcomeExpected, _what, published) => {
    expect(await outcomeWith(published)).toBe(outcomeExpected)
  })

  test('accepted: two keys have the kid of the token', async () => {
    expect(await outcomeWith([{ ...others[0], kid: 'rsa' }, rsa], {})).toBe('accepted')
  })

  test('401: the claims of a token are checked, whichever key signed it', async () => {
    const token = { header: { kid: undefined }, changed: { aud: 'other' } }
    expect(await outcomeWith([others[0]!, withoutKid], token)).toBe('token_invalid: audience')
  })
})

test.each(['EdDSA', 'Ed25519'])('a token signed with %s is accepted', async (alg) => {
  const pair = await generateKeyPair(alg)
  const keySet = createLocalJWKSet({ keys: [await exportJWK(pair.publicKey)] })
  const token = await new SignJWT(claims()).setProtectedHeader({ alg }).sign(pair.privateKey)
  await expect(
    createVerifyIdentity({ issuer, audience, maxHours: MAX_HOURS }, keySet)(`Bearer ${token}`),
  ).resolves.toMatchObject({ sub: 'CTZ-1' })
})

describe('the reason of a refusal, for the log', () => {
  const reasonOf = (token: string) =>
    verify(token).then(
      () => 'accepted',
      ({ reason }: Failure) => reason,
    )

  test.each([
    ['audience', { changed: { aud: ['other'] } }],
    ['audience', { without: ['aud'] }],
    ['issuer', { changed: { iss: 'https://other.example' } }],
    ['time', { changed: { nbf: now() + HOUR } }],
    ['time', { changed: { exp: now() + 100 * HOUR } }],
    ['time', { changed: { iat: 'today' } }],
    ['sub', { changed: { sub: 7 } }],
    ['typ', { header: { typ: 'logout+jwt' } }],
    ['key', { header: { kid: 'other' } }],
  ])('%s: %j', async (reason, token) => {
    expect(await reasonOf(`Bearer ${await sign(token)}`)).toBe(reason)
  })

  test('algorithm', async () => {
    expect(await reasonOf(`Bearer ${await signJson(JSON.stringify(claims()), '{"alg":"RS512"}')}`)).toBe(
      'algorithm',
    )
  })

  test('signature, and a format that is no JWT', async () => {
    const [header, payload] = (await sign({})).split('.')
    const [, , signature] = (await sign({ changed: { sub: 'CTZ-2' } })).split('.')
    expect(await reasonOf(`Bearer ${header}.${payload}.${signature}`)).toBe('signature')
    expect(await reasonOf('Bearer secret')).toBe('format')
    expect(await reasonOf('Basic secret')).toBe('format')
  })
})

/** As JSON text, since a number that is too large is infinity only there. */
const VALUES = ['null', 'true', '0', '-1', '1e999', '""', '"text"', '[]', '[[]]', '{}', '{"toString":1}']
test.each([
  ...[...Object.keys(claims()), 'nbf', 'jti', 'scope', 'scp', 'events'].map((name) => ['claim', name]),
  ...['typ', 'kid', 'crit', 'b64', 'cty', 'jwk', 'x5c'].map((name) => ['header', name]),
])('a %s %s of any type is accepted or refused', async (part, name) => {
  for (const value of VALUES) {
    const json = (object: object, isChanged: boolean) =>
      JSON.stringify({ ...object, ...(isChanged && { [name]: '#' }) }).replace('"#"', value)
    const header = json({ alg: 'RS256', kid: 'rsa' }, part === 'header')
    const token = await signJson(json(claims(), part === 'claim'), header)
    expect(['accepted', 'token_invalid', 'token_expired']).toContain(await outcome(token))
  }
})

test.each([
  ['a b', undefined, ['a', 'b']],
  [['a', 'b'], undefined, ['a', 'b']],
  [undefined, 'a b', ['a', 'b']],
  [undefined, ['a', 'b'], ['a', 'b']],
  [['a'], 'b', ['a', 'b']],
  [['a b'], undefined, ['a', 'b']],
  [undefined, undefined, []],
  [null, 7, []],
  [{ toString: 1 }, [{ toString: 1 }, null, ['a'], 'b'], ['b']],
])('scope %j and scp %j grant %j', (scope, scp, granted) => {
  expect(scopesOf({ scope, scp })).toEqual(granted)
})

test('401: without a configured issuer, the issuer must be that of the sandbox', async () => {
  const ofSandbox = createVerifyIdentity(
    { issuer: undefined, audience, maxHours: MAX_HOURS },
    createLocalJWKSet({ keys: [rsa] }),
  )
  await expect(ofSandbox(`Bearer ${await sign({})}`)).rejects.toMatchObject({ code: 'token_invalid' })
  const token = await sign({ changed: { iss: SANDBOX_ISSUER } })
  await expect(ofSandbox(`Bearer ${token}`)).resolves.toMatchObject({ iss: SANDBOX_ISSUER })
})

describe('typ', () => {
  test.each(['JWT', 'jwt', 'at+jwt', 'AT+JWT', 'application/at+jwt', 'application/jwt'])(
    '%s is accepted',
    async (typ) => {
      expect(await outcomeOf({ header: { typ } })).toBe('accepted')
    },
  )

  test.each([
    'logout+jwt',
    'id_token',
    'application/logout+jwt',
    'secevent+jwt',
    'dpop+jwt',
    'JOSE',
    'JWE',
    '',
    ' JWT',
    'at+jwt; a=b',
  ])('401: "%s" is another kind of token', async (typ) => {
    expect(await outcomeOf({ header: { typ } })).toBe('token_invalid')
  })

  test.each([null, 1, ['JWT'], { JWT: 1 }])('401: typ %j is not a string', async (typ) => {
    expect(await outcomeOf({ header: { typ } })).toBe('token_invalid')
  })

  test('401: a logout token with typ JWT is recognized by its `events` claim', async () => {
    expect(
      await outcomeOf({ changed: { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } } }),
    ).toBe('token_invalid')
  })
})

describe('claims', () => {
  test.each(['exp', 'iat', 'sub', 'iss', 'aud'])('401: %s is required', async (claim) => {
    expect(await outcomeOf({ without: [claim] })).toBe('token_invalid')
  })

  test.each([
    ['a number', 5],
    ['an object', {}],
    ['null', null],
    ['empty', ''],
    ['longer than 255 characters', 'x'.repeat(256)],
    ['with a bidirectional control', 'CTZ-\u202E1'],
    ['with half a surrogate pair', 'CTZ-\uD8001'],
    ['with a control character', 'CTZ-\u00001'],
    ['with an invisible letter', 'CTZ-\u31641'],
  ])('401: sub is %s', async (_what, sub) => {
    expect(await outcomeOf({ changed: { sub } })).toBe('token_invalid')
  })

  test('accepted: sub has 255 characters', async () => {
    expect(await outcomeOf({ changed: { sub: 'x'.repeat(255) } })).toBe('accepted')
  })

  test.each([
    ['another issuer', { iss: 'https://other.example' }],
    ['another audience', { aud: 'other' }],
    ['exp as a text', { exp: String(now() + HOUR) }],
    ['iat as a text', { iat: String(now()) }],
    ['exp as null', { exp: null }],
  ])('401: %s', async (_what, changed) => {
    expect(await outcomeOf({ changed })).toBe('token_invalid')
  })
})

describe('times', () => {
  test.each([
    ['token_expired', 'that ended a second ago', { iat: -HOUR, exp: -1 }],
    ['token_expired', 'that ends now', { iat: -HOUR, exp: 0 }],
    ['accepted', 'that lives 24 hours', { iat: 0, exp: 24 * HOUR }],
    ['token_invalid', 'that lives a second more', { iat: 0, exp: 24 * HOUR + 1 }],
    ['token_invalid', 'that lives a hundred years', { iat: 0, exp: 100 * 365 * 24 * HOUR }],
    ['token_invalid', 'that lives for ever', { iat: 0, exp: Infinity }],
    ['token_invalid', 'that was issued long ago and ends soon', { iat: -48 * HOUR, exp: 60 }],
    ['accepted', 'of a provider whose clock is 20 s ahead', { iat: 20, nbf: 20, exp: HOUR }],
    ['accepted', 'of a provider whose clock is as far ahead as tolerated', { iat: 30, exp: HOUR }],
    ['token_invalid', 'that will be issued in a minute', { iat: 60, exp: HOUR }],
    ['token_invalid', 'that is not valid before the next minute', { iat: 0, nbf: 60, exp: HOUR }],
  ])('%s: one %s', async (code, _what, offsets) => {
    const at = Object.fromEntries(Object.entries(offsets).map(([claim, offset]) => [claim, now() + offset]))
    // JSON has no infinity, but a parser reads a number that is too large as infinity.
    const json = JSON.stringify({ ...claims(), ...at }).replace('"exp":null', '"exp":1e999')
    expect(await outcome(await signJson(json))).toBe(code)
  })
})

async function signJson(json: string, protectedHeader = '{"alg":"RS256","kid":"rsa"}'): Promise<string> {
  const header = base64url.encode(protectedHeader)
  const input = `${header}.${base64url.encode(json)}`
  const signature = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', privateKey, new TextEncoder().encode(input))
  return `${input}.${base64url.encode(new Uint8Array(signature))}`
}

describe('algorithms', () => {
  test.each(['RS384', 'RS512', 'PS384', 'PS512'])('401: %s, signed by a known key', async (alg) => {
    const key = await crypto.subtle.importKey(
      'pkcs8',
      await crypto.subtle.exportKey('pkcs8', privateKey),
      { name: alg.startsWith('PS') ? 'RSA-PSS' : 'RSASSA-PKCS1-v1_5', hash: `SHA-${alg.slice(2)}` },
      false,
      ['sign'],
    )
    const token = await new SignJWT(claims()).setProtectedHeader({ alg, kid: 'rsa' }).sign(key)
    expect(await outcome(token)).toBe('token_invalid')
  })

  test('401: none, with and without the old signature', async () => {
    const [, payload, signature] = (await sign({})).split('.')
    for (const alg of ['none', 'None', 'NONE', '']) {
      const header = base64url.encode(JSON.stringify({ alg, kid: 'rsa' }))
      for (const end of ['', signature])
        expect(await outcome(`${header}.${payload}.${end}`)).toBe('token_invalid')
    }
  })

  test('401: HS256, with the public key as the secret', async () => {
    const pem = createPublicKey({ key: rsa, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
    for (const secret of [pem, JSON.stringify(rsa), rsa.n!]) {
      const header = base64url.encode(JSON.stringify({ alg: 'HS256', kid: 'rsa' }))
      const input = `${header}.${base64url.encode(JSON.stringify(claims()))}`
      expect(
        await outcome(`${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`),
      ).toBe('token_invalid')
    }
  })

  test('401: a changed payload, and no signature', async () => {
    const [header, payload, signature] = (await sign({})).split('.')
    const other = base64url.encode(JSON.stringify({ ...claims(), sub: 'CTZ-2' }))
    expect(await outcome(`${header}.${other}.${signature}`)).toBe('token_invalid')
    expect(await outcome(`${header}.${payload}.`)).toBe('token_invalid')
  })

  test('401: the key in the header of a token is not trusted', async () => {
    const own = await generateKeyPair('RS256')
    const header = {
      alg: 'RS256',
      kid: 'rsa',
      jwk: await exportJWK(own.publicKey),
      jku: 'https://attacker.example/keys',
    }
    expect(await outcome(await new SignJWT(claims()).setProtectedHeader(header).sign(own.privateKey))).toBe(
      'token_invalid',
    )
  })
})
