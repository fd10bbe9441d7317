import { describe, expect, test } from 'vitest'
import { json } from '../kit/body-forms.ts'
import { errorBody } from '../kit/error-body.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'
import { validRequest } from '../kit/valid-requests.ts'

const service = await startServiceForFile()

describe.each([
  ['listPartners', 'partners:read'],
  ['readPartner', 'partners:read'],
  ['changePartner', 'partners:write'],
  ['createPartner', 'partners:write credentials:write'],
  ['listCredentials', 'partners:read'],
  ['rotateCredential', 'credentials:write'],
  ['revokeCredential', 'credentials:write'],
  ['rotateWebhookSecret', 'credentials:write'],
  ['findAuthorizations', 'authorizations:read'],
] as const)('%s', (id, needed) => {
  test('403: an operator with every other scope; 2xx: with only these scopes', async () => {
    const others = [
      'partners:read',
      'partners:write',
      'credentials:write',
      'authorizations:read',
      'citizens:write',
      'disputes:read',
    ].filter((scope) => !needed.split(' ').includes(scope))
    const operatorToken = await service.tokens.operator(others.join(' '))
    const { headers, fields, ...call } = await validRequest(id, {
      ...service,
      partner: await service.partner(),
      citizen: await service.citizen(),
    })
    const init = fields ? json(fields) : { headers: {} }
    const response = (token: string) =>
      service.send(id, {
        ...call,
        ...init,
        headers: { ...headers, ...init.headers, Authorization: `Bearer ${token}` },
      })
    expect(await errorBody(await response(operatorToken))).toMatchObject({
      status: 403,
      error: 'scope_not_granted',
      message: expect.stringContaining(needed.split(' ')[0]!),
    })
    expect((await response(await service.tokens.operator(needed))).status).toBeLessThan(300)
  })
})

test('403: a partner that has lost the scope of a record cannot inquire about it', async () => {
  const [partner, citizen] = [await service.partner(), await service.citizen()]
  const { record } = await partner.profiles.profileByQr(await citizen.showQr('share'))
  const change = (scopes: ('PROFILE_INQUIRE' | 'PROFILE_VIEW')[]) =>
    service.operator('changePartner', { path: { partner_code: partner.code }, body: { scopes } })
  await change(['PROFILE_INQUIRE'])
  expect(await refusal(partner.profiles.inquire(record.tracking_no))).toMatchObject({
    status: 403,
    code: 'scope_not_granted',
  })
  await change(['PROFILE_INQUIRE', 'PROFILE_VIEW'])
  expect((await partner.profiles.inquire(record.tracking_no)).state).toBe('VIEWED')
})
