import { describe, expect, test } from 'vitest'
import { json } from '../kit/body-forms.ts'
import { createCredentialClient } from '../kit/credential-client.ts'
import { diagnose, failedCheckOf, findFailedCheck } from '../kit/diagnoses.ts'
import { errorBody } from '../kit/error-body.ts'
import { changed } from '../kit/invalid-credentials.ts'
import { startServiceForFile } from '../kit/test-service.ts'
import { secretsOf } from '../kit/valid-requests.ts'

/** A separate service, because the test moves the clock. */
const service = await startServiceForFile({})

const NOT_USABLE = 'unknown, or not usable'

const createPair = async () => ({ partner: await service.partner(), citizen: await service.citizen() })

/** Matches the given age in seconds, plus a few seconds for the duration of the test. */
function expectAgo(detail: string | null, what: string, seconds: number): void {
  const [, text] = /^(\w+ \d+) s ago$/.exec(detail ?? '') ?? []
  const [how, ago] = (text ?? '').split(' ')
  expect([how, Number(ago) >= seconds && Number(ago) < seconds + 10]).toEqual([what, true])
}

describe('readDiagnosis', () => {
  test('200: exchange codes: mistyped, unknown, not usable, used, expired, of another partner', async () => {
    const { partner, citizen } = await createPair()
    const otherPartner = await service.partner()
    const why = async (code: string) => {
      const { check, detail } = await findFailedCheck(partner, partner.sso.generateToken(code))
      expect(check).toBe('exchange_code')
      return detail
    }
    const [used, late, fresh] = [
      await citizen.exchangeCode(partner.code),
      await citizen.exchangeCode(partner.code),
      await citizen.exchangeCode(partner.code),
    ]
    expect(await why(changed(fresh))).toBe('mistyped or cut off: its checksum is wrong')
    expect(await why(`${fresh}\n`)).toBe('contains white space at its end')
    expect(await why('twx_00000000000000000000000000000000000000000003ElT2a')).toBe(NOT_USABLE)
    expect(await why(await citizen.exchangeCode(otherPartner.code))).toBe('issued to another partner')
    await citizen.setPreferences({ frozen: true })
    expect(await why(fresh)).toBe(NOT_USABLE)
    await citizen.setPreferences({})
    await partner.sso.generateToken(used)
    await service.advance(12)
    expectAgo(await why(used), 'used', 12)
    await service.advance(89)
    expectAgo(await why(late), 'expired', 41)
  })

  test('200: QR values: malformed, wrong purpose, used, used by another, expired, not usable', async () => {
    const { partner, citizen } = await createPair()
    const otherPartner = await service.partner()
    const why = async (qrValue: string) => {
      const { check, detail } = await findFailedCheck(partner, partner.profiles.profileByQr(qrValue))
      expect(check).toBe('qr_value')
      return detail
    }
    const [used, taken, late, fresh] = [
      await citizen.showQr('share'),
      await citizen.showQr('share'),
      await citizen.showQr('share'),
      await citizen.showQr('share'),
    ]
    expect(await why(`${fresh.slice(0, 9)} ${fresh.slice(9)}`)).toBe('contains white space inside')
    expect(await why('https://example.com')).toBe('not of the form TWQ1 and 32 characters')
    expect(await why(await citizen.showQr('inquire'))).toBe(
      'made for inquire; profile by QR needs a value made for share',
    )
    await citizen.setPreferences({ frozen: true })
    expect(await why(fresh)).toBe(NOT_USABLE)
    await citizen.setPreferences({})
    await partner.profiles.profileByQr(used)
    await otherPartner.profiles.profileByQr(taken)
    expect(await why(taken)).toBe('used by another partner')
    await service.advance(31)
    expectAgo(await why(used), 'used', 31)
    await service.advance(70)
    expectAgo(await why(late), 'expired', 41)
  })

  test('200: access tokens: used, expired, revoked because the code was sent again', async () => {
    const { partner, citizen } = await createPair()
    const why = async (token: string) =>
      (await findFailedCheck(partner, partner.sso.authenticate(token))).detail
    const code = await citizen.exchangeCode(partner.code)
    const [used, late, revoked] = [
      await partner.sso.generateToken(await citizen.exchangeCode(partner.code)),
      await partner.sso.generateToken(await citizen.exchangeCode(partner.code)),
      await partner.sso.generateToken(code),
    ]
    await partner.sso.authenticate(used)
    await service.advance(5)
    expectAgo(await why(used), 'used', 5)
    await partner.sso.generateToken(code).catch(() => {})
    expect(await why(revoked)).toBe('revoked, since its exchange code was sent again')
    await service.advance(305)
    expectAgo(await why(late), 'expired', 10)
  })

  test('200: the diagnosis of an access token whose secret has ended', async () => {
    const { partner, citizen } = await createPair()
    const token = await partner.sso.generateToken(await citizen.exchangeCode(partner.code))
    await createCredentialClient(service).rotate(partner, 0, 'partner_secret')
    await service.advance(7)
    const { detail } = await findFailedCheck(partner, partner.sso.authenticate(token))
    expect(detail).toMatch(/^the partner_secret that obtained it ended \d+ s ago$/)
  })

  test('200: the diagnosis of wrong credentials is readable by the partner of the secret code', async () => {
    const { partner } = await createPair()
    const otherPartner = await service.partner()
    const why = async (token: string) => {
      const response = await service.send('inquire', {
        headers: { ...partner.headers, 'X-Secret-Token': token },
        query: 'tracking_no=x',
      })
      return failedCheckOf(await diagnose(partner, (await errorBody(response)).request_id))
    }
    const failed = (detail: string) => ({ check: 'credentials', detail: `X-Secret-Token: ${detail}` })
    const { secret_token, partner_secret } = partner.credentials
    expect(await why(changed(secret_token))).toEqual(failed('mistyped or cut off: its checksum is wrong'))
    expect(await why(partner_secret)).toEqual(failed('partner_secret was sent in its place'))
    expect(await why(secret_token.replace('_test_', '_live_'))).toEqual(
      failed('it is of the live environment'),
    )
    expect(await why(otherPartner.credentials.secret_token)).toEqual(failed('unknown'))
    expect(await why('')).toEqual(failed('missing'))
    expect(await why(secret_token.replace('_test_', '_test_ '))).toEqual(
      failed('contains white space inside'),
    )
    const whySecret = async (sent: string) => {
      const fields = {
        ...secretsOf(partner),
        partner_secret: sent,
        scope: 'SSO_AUTHENTICATION',
        exchange_code: 'x',
      }
      const refused = await errorBody(await service.send('generateToken', json(fields)))
      return failedCheckOf(await diagnose(partner, refused.request_id))
    }
    for (const [sent, detail] of [
      [otherPartner.credentials.partner_secret, 'unknown'],
      [`${partner_secret}\n`, 'contains white space at its end'],
      [`${partner_secret}\r\n`, 'contains white space at its end'],
      [`\t${partner_secret}`, 'contains white space at its beginning'],
      [partner_secret.replace('_test_', '_test_\u00a0'), 'contains white space inside'],
    ] as const)
      expect(await whySecret(sent)).toEqual({ check: 'credentials', detail: `partner_secret: ${detail}` })
  })

  test('404: a diagnosis ends after a day, and presented values are never stored', async () => {
    const { partner, citizen } = await createPair()
    const code = await citizen.exchangeCode(partner.code)
    await citizen.setPreferences({ frozen: true })
    const { requestId } = (await partner.sso.generateToken(code).catch((error: unknown) => error)) as {
      requestId: string
    }
    await diagnose(partner, requestId)
    const row = (await service.dumpDatabase())
      .split('\n')
      .find((text) => text.includes('exchange_code_invalid') && text.includes(requestId))!
    for (const secret of [
      code,
      code.slice(8, 30),
      citizen.uniqid,
      partner.credentials.partner_secret,
      'frozen',
      'block',
    ])
      expect(row).not.toContain(secret)
    await service.advance(86_401)
    await expect(partner.profiles.diagnose(requestId)).rejects.toMatchObject({ code: 'not_found' })
    await expect.poll(() => service.countRows('diagnosis'), { timeout: 60_000, interval: 20 }).toEqual([0])
  })
})
