import { describe, expect, test } from 'vitest'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()

const NDJSON = { 'Content-Type': 'application/x-ndjson' }

describe('authenticate', () => {
  test('415: NDJSON', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const token = await partner.sso.generateToken(await citizen.exchangeCode(partner.code))
    const headers = { Authorization: `Bearer ${token}`, ...NDJSON }
    expect((await service.send('authenticate', { headers, body: '{}' })).status).toBe(415)
    expect((await partner.sso.authenticate(token)).uniqid).toBe(citizen.uniqid)
  })
})
