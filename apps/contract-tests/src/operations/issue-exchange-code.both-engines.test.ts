import { describe, expect, test } from 'vitest'
import { refusal, startServiceForFile } from '../kit/test-service.ts'
import type { Citizen } from '../kit/users.ts'

const service = await startServiceForFile()

const issue = (citizen: Citizen, partner_code: string, state?: string) =>
  citizen.app('issueExchangeCode', { body: { partner_code, ...(state !== undefined && { state }) } })

const REFUSED = { status: 409, code: 'refused_by_preferences' }

describe('issueExchangeCode', () => {
  test("201: redirect_url is the partner's registered URL with the code", async () => {
    const [partner, citizen] = [
      await service.partner({ sso_url: 'https://hotel.example/signed-in?from=app' }),
      await service.citizen(),
    ]
    const { body } = await issue(citizen, partner.code)
    expect(body.redirect_url).toBe(
      `https://hotel.example/signed-in?from=app&exchange_code=${body.exchange_code}`,
    )
  })

  test.each([
    ['https://hotel.example/signed-in', '?'],
    ['https://hotel.example', '?'],
    ['https://hotel.example/Pe%F1a%20~/?from=%7e&flag', '&'],
    ['https://hotel.example/?', ''],
    ['https://Hotel.Example:443/a/../b?x=1&#!/signed-in', ''],
    ['https://hotel.example/signed-in?flag#part?no=1', '&'],
  ])('201: redirect_url is %s with the code and the state', async (sso_url, separator) => {
    const [partner, citizen] = [await service.partner({ sso_url }), await service.citizen()]
    const state = `a+/=~&#"' ${'x'.repeat(1014)}`
    const { exchange_code, redirect_url } = (await issue(citizen, partner.code, state)).body
    const [address, fragment] = sso_url.split('#')
    expect(redirect_url).toBe(
      `${address}${separator}exchange_code=${exchange_code}&state=${encodeURIComponent(state)}` +
        (fragment === undefined ? '' : `#${fragment}`),
    )
    expect(new URL(redirect_url!).searchParams.get('state')).toBe(state)
  })

  test('422: a registered URL that has a state or a code already', async () => {
    for (const parameter of ['state=1', 'a=b&exchange_code', '%73tate=1'])
      expect(
        await refusal(service.partner({ sso_url: `https://hotel.example/?${parameter}` })),
      ).toMatchObject({ status: 422, fields: { sso_url: [expect.stringContaining('state')] } })
  })

  test('201: redirect_url is null when the partner has registered none', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    expect((await issue(citizen, partner.code)).body.redirect_url).toBeNull()
  })

  test('404: a partner that is unknown, suspended or without the scope: the same response', async () => {
    const citizen = await service.citizen()
    const [unscoped, suspended] = [
      await service.partner({ scopes: ['PROFILE_VIEW'] }),
      await service.partner(),
    ]
    await service.operator('suspendPartner', { path: { partner_code: suspended.code } })
    const refusals = await Promise.all(
      ['UNKNOWN', unscoped.code, suspended.code].map((code) => refusal(issue(citizen, code))),
    )
    expect(
      new Set(
        refusals.map(
          ({ code, status, message, requestId }) => `${code} ${status} ${message.replace(requestId!, '')}`,
        ),
      ).size,
    ).toBe(1)
    expect(refusals[0]!.code).toBe('not_found')
  })

  test('422: an invalid partner code', async () => {
    expect((await refusal(issue(await service.citizen(), 'not a code'))).fields).toHaveProperty(
      'partner_code',
    )
  })

  test.each([
    ['too short to be random', 'fifteen-letters'],
    ['too long', 'a'.repeat(1025)],
    ['not printable', 'sixteen-letters-\n'],
  ])('422: a state that is %s', async (_, state) => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const { code, fields } = await refusal(issue(citizen, partner.code, state))
    expect({ code, fields: Object.keys(fields) }).toEqual({ code: 'validation_failed', fields: ['state'] })
  })

  test('409: no code is issued while everything is frozen or the partner is blocked', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    for (const forbidding of [{ frozen: true }, { blocked_partners: [partner.code] }]) {
      await citizen.setPreferences(forbidding)
      expect(await refusal(citizen.exchangeCode(partner.code))).toMatchObject(REFUSED)
      await citizen.setPreferences({})
      expect((await partner.sso.signIn(await citizen.exchangeCode(partner.code))).uniqid).toBe(citizen.uniqid)
    }
  })

  test('404: a partner that does not exist, also while everything is frozen', async () => {
    const citizen = await service.citizen()
    await citizen.setPreferences({ frozen: true })
    expect((await refusal(citizen.exchangeCode('UNKNOWN'))).code).toBe('not_found')
  })
})
