import { routes } from '@tiwala/contract'
import { describe, expect, test } from 'vitest'
import { diagnose, failedCheckOf } from '../kit/diagnoses.ts'
import { errorBody } from '../kit/error-body.ts'
import { type PartnerOperationId, prepareRequest } from '../kit/prepared-request.ts'
import { refusal, startServiceForFile, startTestService } from '../kit/test-service.ts'

/** A header gives the client address, as a proxy does. */
const service = await startServiceForFile({ TIWALA_TRUSTED_PROXIES: '127.0.0.1' })

const from = (address: string) => ({ 'X-Forwarded-For': address })

describe.each(Object.keys(routes.partner) as PartnerOperationId[])('%s', (id) => {
  test('403: an address off the list is refused from the next request on; nothing is used', async () => {
    const call = await prepareRequest(service, id)
    await call.partner.change({ ip_allow_list: ['203.0.113.0/24'] })
    const refused = await call.send({ headers: { ...call.headers, ...from('198.51.100.7') } })
    expect(await errorBody(refused)).toMatchObject({ status: 403, error: 'ip_not_allowed' })
    expect((await call.send({ headers: { ...call.headers, ...from('203.0.113.7') } })).status).toBe(200)
  })
})

describe('inquire', () => {
  test('401: wrong credentials have the same error from every address', async () => {
    const [partner, other] = [await service.partner(), await service.partner()]
    await partner.change({ ip_allow_list: ['203.0.113.0/24'] })
    const headers = { ...partner.headers, 'X-Secret-Token': other.credentials.secret_token }
    expect((await service.send('inquire', { headers, query: 'tracking_no=unknown' })).status).toBe(401)
  })

  test('403: a forwarding header of an address that is not a trusted proxy is ignored', async () => {
    const untrusting = await startTestService()
    const partner = await untrusting.partner({ ip_allow_list: ['203.0.113.7'] })
    const headers = { ...partner.headers, 'X-Forwarded-For': '203.0.113.7', Forwarded: 'for=203.0.113.7' }
    const refused = await errorBody(
      await untrusting.send('inquire', { headers, query: 'tracking_no=unknown' }),
    )
    expect(refused).toMatchObject({ status: 403, error: 'ip_not_allowed' })
    await partner.change({ ip_allow_list: [] })
    const diagnosis = await diagnose(partner, refused.request_id)
    expect(failedCheckOf(diagnosis).detail).toMatch(/^the request came from (::ffff:)?127\.0\.0\.1$/)
  })

  test('403: only the last forwarded address counts, which the trusted proxy has added', async () => {
    const partner = await service.partner({ ip_allow_list: ['203.0.113.7'] })
    const headers = { ...partner.headers, ...from('203.0.113.7, 198.51.100.7') }
    expect((await service.send('inquire', { headers, query: 'tracking_no=unknown' })).status).toBe(403)
  })

  test.each([
    ['203.0.113.7:1234', ['203.0.113.7'], 404],
    ['[2001:db8::7]:443', ['2001:db8::7'], 404],
    ['[2001:db8::7]', ['2001:db8::7'], 404],
    ['203.0.113.7, 127.0.0.1:1234', ['203.0.113.7'], 404],
    ['203.0.113.8:1234', ['203.0.113.7'], 403],
    ['203.0.113.7', ['203.0.113.7'], 404],
    ['203.0.113.8', ['203.0.113.7'], 403],
    ['203.0.113.8', ['192.0.2.1', '203.0.113.8/31'], 404],
    ['203.0.113.10', ['192.0.2.1', '203.0.113.8/31'], 403],
    ['::ffff:203.0.113.7', ['203.0.113.0/24'], 404],
    ['::ffff:cb00:7107', ['203.0.113.7'], 404],
    ['203.0.113.7', ['::ffff:203.0.113.0/120'], 404],
    ['203.0.114.7', ['::ffff:203.0.113.0/120'], 403],
    ['2001:db8::7', ['2001:db8::/32'], 404],
    ['2001:DB8:0:0::7', ['2001:db8::7'], 404],
    ['2001:db9::7', ['2001:db8::/32'], 403],
    ['203.0.113.7', ['::/0'], 403],
    ['2001:db8::7', ['0.0.0.0/0'], 403],
    ['unknown', ['0.0.0.0/0', '::/0'], 403],
    ['unknown', [], 404],
  ] as const)('404 or 403: from %s with the list %j: %i', async (address, list, status) => {
    const partner = await service.partner({ ip_allow_list: [...list] })
    const response = await service.send('inquire', {
      headers: { ...partner.headers, ...from(address) },
      query: 'tracking_no=unknown',
    })
    expect(response.status).toBe(status)
  })
})

describe.each(['createPartner', 'changePartner'] as const)('%s', (id) => {
  test.each([
    '203.0.113',
    '203.0.113.7/24',
    '203.0.113.0/33',
    '0x7f.1',
    '2001:db8::1/64',
    '2001:db8::/129',
    'fe80::1%eth0',
    'hotel.example',
    '203.0.113.0/',
  ])('422: the error names %s by its index in the list', async (wrong) => {
    const ip_allow_list = ['203.0.113.0/24', wrong]
    const call =
      id === 'changePartner'
        ? (await service.partner()).change({ ip_allow_list })
        : service.partner({ ip_allow_list })
    expect(Object.keys((await refusal(call)).fields)).toEqual(['ip_allow_list.1'])
  })
})
