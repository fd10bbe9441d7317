import { describe, expect, test } from 'vitest'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

/** A separate service, because a restore ends the values of all citizens. */
const service = await startServiceForFile({})

describe('completeRestore', () => {
  test('200: single-use values and sessions from before the restore are invalid, values from after it valid', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const before = {
      asking: await citizen.showQr(),
      sharing: await citizen.showQr('share'),
      code: await citizen.exchangeCode(partner.code),
      token: await partner.sso.generateToken(await citizen.exchangeCode(partner.code)),
    }
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    await citizen.accept(record.tracking_no)
    const people = [
      ['readSession', (await service.signIn(partner.code)).headers],
      ['readOwnSession', await service.signInOperator(['partners:read'])],
    ] as const
    const sessions = () =>
      Promise.all(people.map(async ([id, headers]) => (await service.send(id, { headers })).status))
    expect(await sessions()).toEqual([200, 200])
    const { body } = await service.operator('completeRestore', {})
    expect(body.epoch).toBe(2)
    expect(await sessions()).toEqual([401, 401])
    expect((await refusal(partner.profiles.requestAuthorization(before.asking))).code).toBe(
      'qr_value_invalid',
    )
    expect((await refusal(partner.profiles.profileByQr(before.sharing))).code).toBe('qr_value_invalid')
    expect((await refusal(partner.sso.generateToken(before.code))).code).toBe('exchange_code_invalid')
    expect((await refusal(partner.sso.authenticate(before.token))).code).toBe('token_invalid')
    // A record is not a single-use value: an accepted record stays accepted.
    expect((await partner.profiles.inquire(record.tracking_no)).state).toBe('ACCEPTED')
    expect((await partner.profiles.requestAuthorization(await citizen.showQr())).state).toBe('PENDING')
    expect((await partner.profiles.profileByQr(await citizen.showQr('share'))).state).toBe('VIEWED')
    expect((await partner.sso.signIn(await citizen.exchangeCode(partner.code))).uniqid).toBe(citizen.uniqid)
  })

  test('409: a change that waited before the restore is void', async () => {
    const partner = await service.partner()
    const path = { approval_id: await service.askToSuspend(partner.code) }
    await service.operator('completeRestore', {})
    const second = await service.tokens.operator('approvals:write partners:write', undefined, 'second')
    const headers = { Authorization: `Bearer ${second}` }
    expect((await service.send('grantApproval', { path, headers })).status).toBe(409)
    expect((await service.operator('readApproval', { path })).body.status).toBe('VOID')
  })
})
