import { describe, expect, test, vi } from 'vitest'
import { BODY_FORMS, json } from '../kit/body-forms.ts'
import { diagnose, failedCheckOf } from '../kit/diagnoses.ts'
import { comparable, errorBody } from '../kit/error-body.ts'
import { changed } from '../kit/invalid-credentials.ts'
import { fieldsOf } from '../kit/specification-fields.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'
import type { Citizen, Partner } from '../kit/users.ts'

const INVALID = {
  status: 422,
  code: 'exchange_code_invalid',
  fields: { exchange_code: ['Invalid exchange_code'] },
}
const SCOPE = 'SSO_AUTHENTICATION'
/** A code with a valid format and checksum that was never issued. */
const UNKNOWN_CODE = 'twx_00000000000000000000000000000000000000000003ElT2a'

const service = await startServiceForFile()

const fieldsFor = (partner: Partner, exchangeCode: string) => {
  const { partner_code, partner_secret } = partner.credentials
  return { partner_code, partner_secret, scope: SCOPE, exchange_code: exchangeCode }
}

/** A partner, a citizen and an exchange code for this partner. */
async function handed() {
  const [partner, citizen] = [await service.partner(), await service.citizen()]
  const code = await citizen.exchangeCode(partner.code)
  return { partner, citizen, code, fields: fieldsFor(partner, code) }
}

const signsIn = async (partner: Partner, citizen: Citizen, code: string) =>
  expect((await partner.sso.signIn(code)).uniqid).toBe(citizen.uniqid)

describe('generateToken', () => {
  test.each(BODY_FORMS)('200: the response to $type holds access_token only', async ({ init }) => {
    const { partner, citizen, fields } = await handed()
    const body = (await (await service.send('generateToken', init(fields))).json()) as {
      access_token: string
    }
    expect(fieldsOf(body)).toEqual(['access_token'])
    expect((await partner.sso.authenticate(body.access_token)).uniqid).toBe(citizen.uniqid)
  })

  test('200: the token is one encrypted string in the documented format', async () => {
    const { partner, code } = await handed()
    const token = await partner.sso.generateToken(code)
    expect(token).toMatch(/^twa_[A-Za-z0-9_-]{148,252}$/)
  })

  test.each(['partner_code', 'partner_secret', 'scope', 'exchange_code'])(
    '422: %s is missing, empty or not a string; the code is not used',
    async (name) => {
      const { partner, citizen, code, fields } = await handed()
      for (const value of [undefined, '', null, 5, ['a'], 'x'.repeat(129)]) {
        const refused = await errorBody(
          await service.send('generateToken', json({ ...fields, [name]: value })),
        )
        expect(refused).toMatchObject({ status: 422, error: 'validation_failed' })
        expect(Object.keys(refused.errors!)).toEqual([name])
      }
      await signsIn(partner, citizen, code)
    },
  )

  test.each(['PROFILE_INQUIRE', 'sso_authentication', 'SSO_AUTHENTICATION PROFILE_VIEW'])(
    '422: the scope %s; the code is not used',
    async (scope) => {
      const { partner, citizen, code, fields } = await handed()
      const refused = await errorBody(await service.send('generateToken', json({ ...fields, scope })))
      expect(refused).toMatchObject({
        status: 422,
        error: 'scope_invalid',
        errors: { scope: ['Invalid scope'] },
      })
      await signsIn(partner, citizen, code)
    },
  )

  test('422: a code sent again within a second; the issued token stays valid', async () => {
    // On a busy machine more than a second may pass between the two requests.
    await vi.waitFor(async () => {
      const { partner, citizen, code } = await handed()
      const token = await partner.sso.generateToken(code)
      expect(await refusal(partner.sso.generateToken(code))).toMatchObject(INVALID)
      expect((await partner.sso.authenticate(token)).uniqid).toBe(citizen.uniqid)
    }, 60_000)
  })

  test('422: a code sent again after more than a second revokes the issued token', async () => {
    const { partner, code } = await handed()
    const token = await partner.sso.generateToken(code)
    await service.advance(1.5)
    expect(await refusal(partner.sso.generateToken(code))).toMatchObject(INVALID)
    expect(await refusal(partner.sso.authenticate(token))).toMatchObject({
      status: 401,
      code: 'token_invalid',
    })
  })

  test("422: another partner's code adds an audit event, and is still valid for its owner", async () => {
    const { partner, citizen, code } = await handed()
    const otherPartner = await service.partner()
    const refused = await refusal(otherPartner.sso.generateToken(code))
    expect(refused).toMatchObject(INVALID)
    const auditEvents = async () =>
      (
        await service.operator('listAuditEvents', { query: { kind: 'code.presented_by_other_partner' } })
      ).body.events.filter(({ request_id }) => request_id === refused.requestId)
    expect(await auditEvents()).toMatchObject([{ partner_code: otherPartner.code, actor: null }])
    await signsIn(partner, citizen, code)
  })

  test("422: another partner's used code; the token that was issued for it stays valid", async () => {
    const { partner, citizen, code } = await handed()
    const [otherPartner, token] = [await service.partner(), await partner.sso.generateToken(code)]
    await service.advance(1.5)
    expect(await refusal(otherPartner.sso.generateToken(code))).toMatchObject(INVALID)
    expect((await partner.sso.authenticate(token)).uniqid).toBe(citizen.uniqid)
  })

  test('422: a code is valid after 55 seconds and expired after 60', async () => {
    const { partner, citizen, code } = await handed()
    const late = await citizen.exchangeCode(partner.code)
    await service.advance(55)
    await signsIn(partner, citizen, code)
    await service.advance(5)
    expect(await refusal(partner.sso.generateToken(late))).toMatchObject(INVALID)
  })

  describe('a code that is bound to a verifier', () => {
    // The example of RFC 7636, appendix B.
    const codeVerifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
    const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

    test('200: with its verifier only; a wrong one does not use the code', async () => {
      const [partner, citizen] = [await service.partner(), await service.citizen()]
      const code = await citizen.exchangeCode(partner.code, CHALLENGE)
      // The challenge itself, which the link shows, is one of the wrong verifiers.
      for (const wrong of [undefined, CHALLENGE, codeVerifier.toLowerCase()]) {
        const refused = await refusal(partner.sso.signIn(code, { codeVerifier: wrong }))
        expect(refused).toMatchObject(INVALID)
        expect(failedCheckOf(await diagnose(partner, refused.requestId!))).toMatchObject({
          check: 'exchange_code',
          detail: expect.stringContaining('the code_verifier is missing or wrong') as string,
        })
      }
      expect((await partner.sso.signIn(code, { codeVerifier })).uniqid).toBe(citizen.uniqid)
      expect(await refusal(partner.sso.signIn(code, { codeVerifier }))).toMatchObject(INVALID)
    })

    test('422: a verifier with a code that has no challenge, as an attacker could issue it', async () => {
      const { partner, citizen, code } = await handed()
      expect(await refusal(partner.sso.signIn(code, { codeVerifier }))).toMatchObject(INVALID)
      await signsIn(partner, citizen, code)
    })

    test.each(['short', 'x'.repeat(42), 'x'.repeat(129), `${'x'.repeat(43)}+`])(
      '422: the verifier %s, which RFC 7636 does not allow',
      async (code_verifier) => {
        const { fields } = await handed()
        const refused = await errorBody(
          await service.send('generateToken', json({ ...fields, code_verifier })),
        )
        expect(refused.errors).toHaveProperty('code_verifier')
      },
    )
  })

  test("422: malformed, unknown, used, expired, another partner's values: the same response", async () => {
    const { partner, citizen, code: used } = await handed()
    const expired = await citizen.exchangeCode(partner.code)
    await partner.sso.generateToken(used)
    await service.advance(60)
    const foreign = (await handed()).code
    const refused = [
      'junk',
      changed(foreign),
      UNKNOWN_CODE,
      used,
      expired,
      foreign,
      await citizen.showQr(),
      partner.credentials.secret_token,
    ]
    const responses = await Promise.all(
      refused.map(async (code) =>
        comparable(await service.send('generateToken', json(fieldsFor(partner, code)))),
      ),
    )
    expect(responses).toEqual(responses.map(() => responses[0]))
  })
})
