// Why a partner was refused, for the administrator: by partner and time, and by the id of the request.
import type { TiwalaError } from '@tiwala/client'
import { describe, expect, test } from 'vitest'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()

describe('listPartnerRequests, readPartnerRequest', () => {
  test('200: a refused request of any partner, with the check that failed', async () => {
    const [partner, other] = [await service.partner(), await service.partner()]
    const refused: unknown = await partner.profiles
      .requestAuthorization(`TWQ1${'0'.repeat(32)}`)
      .catch((error: unknown) => error)
    const requestId = (refused as TiwalaError).requestId!
    const path = { partner_code: partner.code }
    const list = async () =>
      (await service.operator('listPartnerRequests', { path, query: { status: '4XX' } })).body.requests
    await expect.poll(list).toMatchObject([{ request_id: requestId, error: 'qr_value_invalid', status: 422 }])
    const read = () => service.operator('readPartnerRequest', { path: { request_id: requestId } })
    await expect.poll(async () => (await read()).body.diagnosis).not.toBeNull()
    const { body } = await read()
    expect(body).toMatchObject({
      partner_code: partner.code,
      partner_name: (await partner.read()).name,
      request: { request_id: requestId, operation: 'requestAuthorization' },
      help_url: `${service.url}/errors/qr_value_invalid`,
    })
    expect(body.diagnosis!.checks.find(({ outcome }) => outcome === 'failed')!.check).toBe('qr_value')
    const others = await service.operator('listPartnerRequests', { path: { partner_code: other.code } })
    expect(others.body.requests).toEqual([])
  })
})
