import { describe, expect, test } from 'vitest'
import { errorBody } from '../kit/error-body.ts'
import { changed } from '../kit/invalid-credentials.ts'
import {
  ENVELOPE_FIELDS,
  fieldsOf,
  PASSPORT_FIELDS,
  SSO_PROFILE_FIELDS,
} from '../kit/specification-fields.ts'
import { refusal, startServiceForFile, type TestService } from '../kit/test-service.ts'

const PASSPORT = {
  first_name: 'Maria',
  middle_name: 'Reyes',
  last_name: 'Santos',
  suffix: '',
  gender: 'Female',
  birth_date: '04/17/1990',
  passport_number: 'P0000001A',
  place_issued: 'DFA Manila',
  expiry_date: '06/30/2032',
}

const service = await startServiceForFile()

/** A partner with an access token of a citizen. */
async function createToken(...overrides: Parameters<TestService['citizen']>) {
  const [partner, citizen] = [await service.partner(), await service.citizen(...overrides)]
  const token = await partner.sso.generateToken(await citizen.exchangeCode(partner.code))
  return {
    partner,
    citizen,
    token,
    headers: { Authorization: `Bearer ${token}` },
    signsIn: async () => expect((await partner.sso.authenticate(token)).uniqid).toBe(citizen.uniqid),
  }
}

describe('authenticate', () => {
  test('200: the profile with passport has exactly the documented fields and formats', async () => {
    const { citizen, headers } = await createToken(
      { birth_date: '1990-04-17', gender: 'female', postal: '1210' },
      PASSPORT,
    )
    const body = (await (await service.send('authenticate', { headers })).json()) as {
      data: { passport: object }
    }
    expect([fieldsOf(body), fieldsOf(body.data), fieldsOf(body.data.passport)]).toEqual([
      ENVELOPE_FIELDS,
      SSO_PROFILE_FIELDS,
      PASSPORT_FIELDS,
    ])
    expect(body).toEqual({
      status: 200,
      message: 'OK',
      data: {
        ...citizen.profile,
        birth_date: '04/17/1990',
        gender: 'FEMALE',
        postal: 1210,
        passport: PASSPORT,
      },
    })
  })

  test('200: the passport of a citizen without one has empty fields', async () => {
    const { partner, token } = await createToken()
    const { passport } = await partner.sso.authenticate(token)
    expect(passport).toEqual(Object.fromEntries(PASSPORT_FIELDS.map((name) => [name, ''])))
  })

  test.each([
    { postal: '0810', is: 810 },
    { postal: '6000', is: 6000 },
    { postal: null, is: 0 },
  ])('200: the postal code $postal is the integer $is', async ({ postal, is }) => {
    const { partner, token } = await createToken({ postal })
    expect((await partner.sso.authenticate(token)).postal).toBe(is)
  })

  test('200: nullable fields without a value are null, and non-ASCII letters are kept', async () => {
    const overrides = {
      first_name: 'Niño',
      middle_name: null,
      suffix: null,
      foreign_address: null,
      birth_date: '2000-02-29',
      gender: 'male',
    }
    const { partner, token } = await createToken(overrides)
    expect(await partner.sso.authenticate(token)).toMatchObject({
      ...overrides,
      birth_date: '02/29/2000',
      gender: 'MALE',
    })
  })

  test.each([
    { what: 'an empty body', type: 'application/json', body: '' },
    { what: '{}', type: 'application/json', body: '{}' },
    { what: 'null', type: 'application/json', body: 'null' },
  ])('200: $what is tolerated', async ({ type, body }) => {
    const { headers, citizen } = await createToken()
    const response = await service.send('authenticate', {
      headers: { ...headers, 'Content-Type': type },
      body,
    })
    expect(await response.json()).toMatchObject({ status: 200, data: { uniqid: citizen.uniqid } })
  })

  test('200: the scheme may be written in any case', async () => {
    const { token } = await createToken()
    expect(
      (await service.send('authenticate', { headers: { Authorization: `bearer ${token}` } })).status,
    ).toBe(200)
  })

  test.each<{ what: string; headers: (token: string) => Record<string, string> }>([
    { what: 'nothing', headers: () => ({}) },
    { what: 'another scheme', headers: (token) => ({ Authorization: `Basic ${token}` }) },
    { what: 'a token without a scheme', headers: (token) => ({ Authorization: token }) },
    { what: "a partner's headers", headers: () => ({ 'X-Secret-Code': 'x', 'X-Secret-Token': 'x' }) },
  ])('401: $what instead of a bearer token; the token is not used', async ({ headers }) => {
    const { token, signsIn } = await createToken()
    const response = await service.send('authenticate', { headers: headers(token) })
    expect(await errorBody(response)).toMatchObject({ status: 401, error: 'token_missing' })
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    await signsIn()
  })

  test.each<{ what: string; authorization: (token: string) => string }>([
    { what: 'the word bearer in another scheme', authorization: (token) => `Basic bearer ${token}` },
    { what: 'a scheme without a token', authorization: () => 'Bearer' },
    { what: 'junk', authorization: () => 'Bearer junk' },
    { what: 'a token with one character changed', authorization: (token) => `Bearer ${changed(token)}` },
    { what: 'a token that was cut off', authorization: (token) => `Bearer ${token.slice(0, -1)}` },
    { what: 'a token of 5,000 characters', authorization: () => `Bearer ${'a'.repeat(5_000)}` },
  ])('401: $what; the token is not used', async ({ authorization }) => {
    const { token, signsIn } = await createToken()
    const response = await service.send('authenticate', { headers: { Authorization: authorization(token) } })
    expect(await errorBody(response)).toMatchObject({ status: 401, error: 'token_invalid' })
    expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
    await signsIn()
  })

  test('401: the token of a citizen or an operator is not accepted', async () => {
    const { partner, citizen } = await createToken()
    for (const token of [citizen.token, service.operatorToken])
      expect(await refusal(partner.sso.authenticate(token))).toMatchObject({
        status: 401,
        code: 'token_invalid',
      })
  })

  test('401: a token works once', async () => {
    const { partner, token, signsIn } = await createToken()
    await signsIn()
    expect(await refusal(partner.sso.authenticate(token))).toMatchObject({ status: 401, code: 'token_used' })
    await service.advance(300)
    expect(await refusal(partner.sso.authenticate(token))).toMatchObject({ status: 401, code: 'token_used' })
  })

  test('401: a token is valid after 295 seconds and expired after 300', async () => {
    const { signsIn } = await createToken()
    const late = await createToken()
    await service.advance(295)
    await signsIn()
    await service.advance(5)
    expect(await refusal(late.partner.sso.authenticate(late.token))).toMatchObject({
      status: 401,
      code: 'token_expired',
    })
  })
})
