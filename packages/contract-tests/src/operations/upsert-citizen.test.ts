import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exampleProfile } from '../kit/example-profile.ts'
import { startTestService, type TestService } from '../kit/test-service.ts'

let service: TestService
beforeAll(async () => void (service = await startTestService()))
afterAll(() => service.close())

const NDJSON = { 'Content-Type': 'application/x-ndjson' }

let count = 0
const newCitizen = (change: object = {}) => ({
  profile: { ...exampleProfile(`REFUSED-${++count}`), ...change },
  passport: null,
})

describe('upsertCitizen', () => {
  test('415: NDJSON', async () => {
    const { profile } = newCitizen()
    const headers = { Authorization: `Bearer ${service.operatorToken}`, ...NDJSON }
    const body = JSON.stringify({ profile, passport: null })
    expect(
      (await service.send('upsertCitizen', { headers, path: { uniqid: profile.uniqid }, body })).status,
    ).toBe(415)
  })
})
