// Mistakes that the client finds before it sends anything.
import { createPartnerClient, createSsoClient } from '@tiwala/client'
import { describe, expect, test } from 'vitest'
import { callMethod } from '../kit/call-method.ts'
import { startServiceForFile } from '../kit/test-service.ts'
import { UNKNOWN_CREDENTIALS, UNKNOWN_PARTNER } from '../kit/unknown-credentials.ts'

const service = await startServiceForFile()

const { secretToken } = UNKNOWN_CREDENTIALS
const { partnerSecret } = UNKNOWN_PARTNER
const PARTNER = { baseUrl: 'http://127.0.0.1:2', ...UNKNOWN_CREDENTIALS }
const SSO = { authUrl: 'http://127.0.0.1:2', ...UNKNOWN_PARTNER }
const IS_UNDEFINED = 'must be a string that is not empty, but it is undefined.'
const NOT_A_TIMEOUT = [Number.NaN, Infinity, -1, 0, 2 ** 31, '5000']

describe('createPartnerClient', () => {
  const expectRefusal = (name: string, value: unknown, message: string) => {
    const create = () => createPartnerClient({ ...PARTNER, [name]: value })
    expect(create).toThrow(TypeError)
    expect(create).toThrow(`${name} ${message}`)
  }

  test.each([
    ['secretToken', undefined, IS_UNDEFINED],
    ['secretToken', '', 'must be a string that is not empty, but it is empty.'],
    ['secretToken', `${secretToken}\n`, 'contains white space'],
    ['secretToken', ` ${secretToken}`, 'contains white space'],
    ['secretToken', partnerSecret, 'must start with twt_live_ or twt_test_'],
    ['secretToken', secretToken.slice(0, -1), 'is not complete'],
    ['secretToken', secretToken.replace('J', 'K'), 'is not complete'],
    ['secretToken', secretToken.replace('test', 'live'), 'is not complete'],
    ['secretCode', undefined, IS_UNDEFINED],
    ['secretCode', secretToken, 'is not a whole secret code'],
    ['secretCode', 'twc_0000', 'is not a whole secret code'],
    ['baseUrl', undefined, IS_UNDEFINED],
    ['baseUrl', 'localhost:8080', 'must be an address like'],
    ['baseUrl', 'tiwala.example', 'must be an address like'],
    ['baseUrl', 'https://tiwala.example?x=1', 'must be an address like'],
    ['baseUrl', 'https://tiwala.example#x', 'must be an address like'],
    ['baseUrl', 'https://tiwala.example?', 'must be an address like'],
    ['baseUrl', 'https://user:word@tiwala.example', 'must be an address like'],
    ['baseUrl', 'https://:word@tiwala.example', 'must be an address like'],
    ['baseUrl', 'ftp://tiwala.example', 'must be an address like'],
  ])('%s: %j %s', (name, value, message) => expectRefusal(name, value, message))

  test.each([' ', '\n', '\u00a0', '\0', '/a b'])('baseUrl contains white space: %j', (text) =>
    expectRefusal('baseUrl', `https://tiwala.example${text}`, 'contains white space'),
  )
  test.each(NOT_A_TIMEOUT)('timeoutMs: %s', (value) =>
    expectRefusal('timeoutMs', value, 'must be a number from 1 to 2147483647.'),
  )
  test.each([Number.NaN, -1, '2'])('maxRetries: %s', (value) =>
    expectRefusal('maxRetries', value, 'must be a number from 0 to'),
  )
})

test('no message repeats a secret', () => {
  for (const value of [`${secretToken}\n`, secretToken.slice(0, -1), partnerSecret])
    expect(() => createPartnerClient({ ...PARTNER, secretToken: value })).not.toThrow(value.slice(9, 40))
})

describe('createSsoClient', () => {
  test.each([
    ['partnerSecret', undefined, IS_UNDEFINED],
    ['partnerSecret', secretToken, 'must start with tws_live_ or tws_test_'],
    ['partnerSecret', partnerSecret.slice(0, -1), 'is not complete'],
    ['partnerCode', undefined, IS_UNDEFINED],
    ['partnerCode', 'HOTEL ', 'contains white space'],
    ['authUrl', undefined, IS_UNDEFINED],
    ['authUrl', 'https://tiwala.example ', 'contains white space'],
    ['timeoutMs', Number.NaN, 'must be a number from 1 to 2147483647.'],
  ])('%s: %j %s', (name, value, message) =>
    expect(() => createSsoClient({ ...SSO, [name]: value })).toThrow(`${name} ${message}`),
  )
})

const [profiles, sso] = [createPartnerClient(PARTNER), createSsoClient(SSO)]

describe('a method without its argument', () => {
  const missing = undefined as unknown as string
  test.each([
    ['qrValue', () => profiles.requestAuthorization(missing)],
    ['qrValue', () => profiles.profileByQr(missing)],
    ['trackingNo', () => profiles.inquire(missing)],
    ['trackingNo', () => profiles.waitForAcceptance(missing)],
    ['trackingNo', () => profiles.cancelAuthorization(missing)],
    ['requestId', () => profiles.diagnose(missing)],
    ['exchangeCode', () => sso.signIn(missing)],
    ['exchangeCode', () => sso.generateToken(missing)],
    ['accessToken', () => sso.authenticate(missing)],
  ])('%s: rejects with a TypeError', async (name, call) => {
    await expect(call()).rejects.toThrow(new TypeError(`${name} ${IS_UNDEFINED}`))
  })

  test('accessToken: a line break would break the header, and no error repeats the token', async () => {
    await expect(sso.authenticate('twa_token\n')).rejects.toThrow(/^accessToken contains(?!.*twa_token)/)
  })
})

describe('an option of a call that is not valid', () => {
  const expectRejection = async (client: object, method: string, name: string, value: unknown) => {
    const error = await callMethod(client, method, { [name]: value }).catch((thrown: unknown) => thrown)
    expect([error, String(error)]).toEqual([
      expect.any(TypeError),
      expect.stringMatching(new RegExp(`^TypeError: ${name} must be a (number from|valid Date)`)),
    ])
  }

  test.each(
    [profiles, sso].flatMap((client) => Object.keys(client).map((method) => [method, client] as const)),
  )('timeoutMs of %s: rejects with a TypeError', async (method, client) => {
    for (const value of NOT_A_TIMEOUT) await expectRejection(client, method, 'timeoutMs', value)
  })

  test.each([
    ['whoAmI', 'maxRetries', Number.NaN],
    ['listRecords', 'maxRetries', -1],
    ['inquire', 'waitSeconds', Number.NaN],
    ['inquire', 'waitSeconds', -1],
    ['inquire', 'waitSeconds', Infinity],
    ['inquire', 'waitSeconds', '25'],
    ['waitForAcceptance', 'deadline', new Date('tomorrow')],
    ['waitForAcceptance', 'deadline', 'tomorrow'],
  ])('%s, %s: %s', async (method, name, value) => expectRejection(profiles, method, name, value))
})

test('the credentials that the service issues pass, and slashes after the address', async () => {
  const { credentials } = await service.partner()
  for (const slashes of ['', '/', '//']) {
    const own = createPartnerClient({
      baseUrl: service.url + slashes,
      secretCode: credentials.secret_code,
      secretToken: credentials.secret_token,
    })
    expect((await own.whoAmI()).partner_code).toBe(credentials.partner_code)
    createSsoClient({
      authUrl: service.url + slashes,
      partnerCode: credentials.partner_code,
      partnerSecret: credentials.partner_secret,
    })
  }
})
