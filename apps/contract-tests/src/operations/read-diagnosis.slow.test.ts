import { describe, expect, test } from 'vitest'
import { json } from '../kit/body-forms.ts'
import { diagnose, failedCheckOf, findFailedCheck } from '../kit/diagnoses.ts'
import { comparable, errorBody } from '../kit/error-body.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'
import { secretsOf } from '../kit/valid-requests.ts'

const service = await startServiceForFile()

const createPair = async () => ({ partner: await service.partner(), citizen: await service.citizen() })

describe('readDiagnosis', () => {
  test('200: every check in order: passed, failed with the reason, or not reached', async () => {
    const { partner } = await createPair()
    const { requestId } = await refusal(partner.profiles.requestAuthorization('TWQ1'.padEnd(36, '0')))
    const passed = ['request', 'browser', 'credentials', 'suspension', 'address', 'fields', 'rate', 'scope']
    expect(await diagnose(partner, requestId!)).toEqual({
      request_id: requestId,
      operation: 'requestAuthorization',
      occurred_at: expect.stringMatching(/^20\d\d-.*Z$/),
      status: 422,
      error: 'qr_value_invalid',
      checks: [
        ...passed.map((check) => ({ check, outcome: 'passed', detail: null })),
        { check: 'qr_value', outcome: 'failed', detail: 'unknown, or not usable' },
      ],
    })
  })

  test('200: a check passed only if it ran, in the order in which the checks ran', async () => {
    const { partner, citizen } = await createPair()
    const checksOf = async (requestId: string) => {
      const { checks } = await diagnose(partner, requestId)
      return checks.map(({ check, outcome }) => `${check} ${outcome}`).join(', ')
    }
    const why = async (request: Promise<unknown>) => checksOf((await refusal(request)).requestId!)
    const whySent = async (...sent: Parameters<typeof service.send>) =>
      checksOf((await errorBody(await service.send(...sent))).request_id)
    const caller = 'browser passed, credentials passed, suspension passed, address passed'
    const headers = { ...partner.headers, Accept: 'text/html' }
    expect(await whySent('inquire', { headers, query: 'tracking_no=x' })).toBe('request failed')
    const { 'X-Secret-Token': _, ...withoutSecret } = partner.headers as Record<string, string>
    expect(await whySent('inquire', { headers: withoutSecret, query: 'tracking_no=x' })).toMatch(
      /^request passed, credentials failed, browser not_reached, suspension not_reached/,
    )
    expect(await why(partner.profiles.inquire('unknown'))).toBe(
      `request passed, ${caller}, fields passed, scope passed, polling passed, record failed, result not_reached`,
    )
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    await citizen.decline(record.tracking_no)
    expect(await why(partner.profiles.cancelAuthorization(record.tracking_no))).toBe(
      `request passed, ${caller}, fields passed, scope passed, record passed, state failed`,
    )
    expect(await why(partner.sso.generateToken('junk'))).toBe(
      `request passed, fields passed, ${caller}, rate passed, scope passed, exchange_code failed`,
    )
    const token = await partner.sso.generateToken(await citizen.exchangeCode(partner.code))
    await partner.sso.authenticate(token)
    expect(await why(partner.sso.authenticate(token))).toMatch(
      /^request passed, access_token failed, suspension not_reached, address not_reached, fields not_reached/,
    )
  })

  test('200: the diagnosis of a 422 of generateToken names the fields, the scope or the code', async () => {
    const { partner, citizen } = await createPair()
    const exchange_code = await citizen.exchangeCode(partner.code)
    const right = { ...secretsOf(partner), scope: 'SSO_AUTHENTICATION', exchange_code }
    const why = async (change: object) => {
      const { request_id } = await errorBody(
        await service.send('generateToken', json({ ...right, ...change })),
      )
      return failedCheckOf(await diagnose(partner, request_id))
    }
    expect(await why({ exchange_code: '' })).toEqual({
      check: 'fields',
      detail: 'named in `errors` of the answer',
    })
    expect(await why({ scope: 'PROFILE_VIEW' })).toEqual({
      check: 'scope',
      detail: 'the field scope must be SSO_AUTHENTICATION',
    })
    expect(await why({ exchange_code: 'junk' })).toEqual({
      check: 'exchange_code',
      detail: 'not of the form twx_...',
    })
    expect((await partner.sso.signIn(exchange_code)).uniqid).toBe(citizen.uniqid)
  })

  test('200: the diagnosis of a refusal before the operation is known', async () => {
    const { partner } = await createPair()
    const response = await service.send('inquire', {
      headers: { ...partner.headers, Accept: 'text/html' },
      query: 'tracking_no=x',
    })
    const diagnosis = await diagnose(partner, (await errorBody(response)).request_id)
    expect(diagnosis).toMatchObject({ operation: null, status: 406, error: 'not_acceptable' })
    expect(failedCheckOf(diagnosis).check).toBe('request')
  })

  test('200: the diagnosis of a missing scope, an unknown record and a record that has ended', async () => {
    const { partner, citizen } = await createPair()
    const limited = await service.partner({ scopes: [] })
    expect(await findFailedCheck(limited, limited.profiles.inquire('x'))).toEqual({
      check: 'scope',
      detail: 'The scope PROFILE_INQUIRE is not granted to this partner',
    })
    const none = { check: 'record', detail: 'no record of yours has this tracking number' }
    const { trackingNo } = await service.pending()
    expect(await findFailedCheck(partner, partner.profiles.inquire(trackingNo))).toEqual(none)
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    await citizen.decline(record.tracking_no)
    expect(
      (await findFailedCheck(partner, partner.profiles.cancelAuthorization(record.tracking_no))).check,
    ).toBe('state')
  })

  test('200: a refusal during suspension has a diagnosis once the partner is resumed', async () => {
    const { partner } = await createPair()
    const path = { partner_code: partner.code }
    await service.operator('suspendPartner', { path })
    const { requestId } = await refusal(partner.profiles.inquire('unknown'))
    expect((await refusal(partner.profiles.diagnose(requestId!))).code).toBe('partner_suspended')
    await service.operator('resumePartner', { path })
    expect(failedCheckOf(await diagnose(partner, requestId!)).check).toBe('suspension')
  })

  test("404: another partner's refusal, an unknown and a successful request: the same response", async () => {
    const { partner, citizen } = await createPair()
    const otherPartner = await service.partner()
    const { requestId } = await refusal(partner.profiles.inquire('unknown'))
    const answered = (await partner.profiles.requestAuthorization(await citizen.showQr())).requestId
    await diagnose(partner, requestId!)
    const ask = (by: typeof partner, request_id: string) =>
      service.send('readDiagnosis', { headers: by.headers, path: { request_id } })
    const foreign = await comparable(await ask(otherPartner, requestId!))
    expect(JSON.parse(foreign.body)).toMatchObject({ status: 404, error: 'not_found' })
    expect(await comparable(await ask(partner, `req_${'0'.repeat(22)}`))).toEqual(foreign)
    expect(await comparable(await ask(partner, answered))).toEqual(foreign)
  })

  test('404: refusals that name no partner are not recorded', async () => {
    const { partner } = await createPair()
    const headers = { ...partner.headers, 'X-Secret-Code': `twc_${'0'.repeat(20)}` }
    const { request_id } = await errorBody(await service.send('inquire', { headers, query: 'tracking_no=x' }))
    expect((await refusal(partner.profiles.diagnose(request_id))).code).toBe('not_found')
  })
})
