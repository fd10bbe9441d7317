import {
  createPartnerClient,
  createSsoClient,
  TiwalaConnectionError,
  TiwalaError,
  WebhookError,
} from '@tiwala/client'
import { describe, expect, test } from 'vitest'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile({ TIWALA_POLL_INTERVAL_SECONDS: '2' })

test('the classes of errors keep their names in the minified code', () =>
  expect([TiwalaError, TiwalaConnectionError, WebhookError].map(({ name }) => name)).toEqual([
    'TiwalaError',
    'TiwalaConnectionError',
    'WebhookError',
  ]))

describe('errors of the service', () => {
  test('422: a TiwalaError has status, code, fields and the request id', async () => {
    const { profiles } = await service.partner()
    const error = await refusal(profiles.requestAuthorization('junk'))
    expect(error).toBeInstanceOf(Error)
    expect(error).toBeInstanceOf(TiwalaError)
    expect(error).toMatchObject({
      name: 'TiwalaError',
      status: 422,
      code: 'qr_value_invalid',
      fields: { qr_value: ['Invalid qr_value'] },
      retryAfterSeconds: undefined,
      helpUrl: `${service.url}/errors/qr_value_invalid`,
    })
    expect(error.requestId).toMatch(/^req_\w{22}$/)
    expect(error.message).toBe(`Invalid qr_value (qr_value_invalid, ${error.requestId})`)
  })

  test('429: a TiwalaError has the seconds to wait', async () => {
    const [{ profiles }, citizen] = [await service.partner(), await service.citizen()]
    const { record } = await profiles.requestAuthorization(await citizen.showQr())
    await profiles.inquire(record.tracking_no)
    const error = await refusal(profiles.inquire(record.tracking_no))
    expect(error).toMatchObject({ status: 429, code: 'slow_down', fields: {} })
    expect([1, 2]).toContain(error.retryAfterSeconds)
  })

  test('no error repeats a secret', async () => {
    const [{ profiles, sso, credentials }, stranger] = [await service.partner(), await service.partner()]
    await service.operator('suspendPartner', { path: { partner_code: credentials.partner_code } })
    const wrong = createSsoClient({
      authUrl: service.url,
      partnerCode: stranger.code,
      partnerSecret: credentials.partner_secret,
    })
    const errors = await Promise.all([profiles.inquire('x'), sso.signIn('x'), wrong.signIn('x')].map(refusal))
    const told = errors.map((error) => `${error.stack} ${JSON.stringify(error)}`).join()
    expect(
      [credentials.secret_token, credentials.partner_secret].filter((secret) => told.includes(secret)),
    ).toEqual([])
  })

  test('200: a base URL with a trailing slash is accepted', async () => {
    const [{ credentials }, citizen] = [await service.partner(), await service.citizen()]
    const profiles = createPartnerClient({
      baseUrl: `${service.url}/`,
      secretCode: credentials.secret_code,
      secretToken: credentials.secret_token,
    })
    expect((await profiles.profileByQr(await citizen.showQr('share'))).state).toBe('VIEWED')
  })
})
