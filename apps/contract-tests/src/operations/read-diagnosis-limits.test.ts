import { describe, expect, test } from 'vitest'
import { diagnose, failedCheckOf, findFailedCheck } from '../kit/diagnoses.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile({
  TIWALA_DIAGNOSES_PER_MINUTE: '2',
  TIWALA_REQUESTS_PER_MINUTE: '1',
  TIWALA_PENDING_PER_CITIZEN: '1',
  TIWALA_POLL_INTERVAL_SECONDS: '60',
})

const count = async () => (await service.countRows('diagnosis'))[0]!

describe('readDiagnosis', () => {
  test('200: a client with the X-Secret-Code alone displaces no diagnosis of the partner', async () => {
    const partner = await service.partner()
    const headers = { ...partner.headers, 'X-Secret-Token': 'wrong' }
    for (let sent = 0; sent < 5; sent++) await service.send('inquire', { headers, query: 'tracking_no=x' })
    await expect.poll(count).toBe(2)
    expect((await findFailedCheck(partner, partner.profiles.inquire('unknown'))).check).toBe('record')
    expect(await count()).toBe(3)
  })

  test('200: a client with an access token alone displaces no diagnosis of the partner', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const token = await partner.sso.generateToken(await citizen.exchangeCode(partner.code))
    await partner.sso.authenticate(token)
    for (let sent = 0; sent < 3; sent++)
      expect((await refusal(partner.sso.authenticate(token))).code).toBe('token_used')
    expect((await findFailedCheck(partner, partner.profiles.inquire('unknown'))).check).toBe('record')
  })

  test('404: refusals above the limit per minute are not recorded', async () => {
    const partner = await service.partner()
    const [first, second, third] = [
      await refusal(partner.profiles.inquire('unknown')),
      await refusal(partner.profiles.inquire('unknown')),
      await refusal(partner.profiles.inquire('unknown')),
    ]
    for (const { requestId } of [first, second])
      expect(failedCheckOf(await diagnose(partner, requestId!)).check).toBe('record')
    expect((await refusal(partner.profiles.diagnose(third.requestId!))).code).toBe('not_found')
  })

  test('200: the diagnosis tells apart both rate limits and polling too early', async () => {
    const [partner, another, citizen] = [
      await service.partner(),
      await service.partner(),
      await service.citizen(),
    ]
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    const again = partner.profiles.requestAuthorization(await citizen.showQr())
    expect(await findFailedCheck(partner, again)).toEqual({
      check: 'rate',
      detail: 'over the limit of a minute',
    })
    const asked = another.profiles.requestAuthorization(await citizen.showQr())
    expect(await findFailedCheck(another, asked)).toEqual({
      check: 'citizen_rate',
      detail: 'this citizen has been asked too often',
    })
    await partner.profiles.inquire(record.tracking_no)
    expect((await findFailedCheck(partner, partner.profiles.inquire(record.tracking_no))).check).toBe(
      'polling',
    )
  })
})
