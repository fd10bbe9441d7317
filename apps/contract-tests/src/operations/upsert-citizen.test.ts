import { exampleProfile } from '@tiwala/kit/users'
import { describe, expect, test } from 'vitest'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()

describe('upsertCitizen', () => {
  test('415: NDJSON', async () => {
    const profile = exampleProfile('TEST-NDJSON')
    const headers = {
      Authorization: `Bearer ${service.operatorToken}`,
      'Content-Type': 'application/x-ndjson',
    }
    const body = JSON.stringify({ profile, passport: null })
    expect(
      (await service.send('upsertCitizen', { headers, path: { uniqid: profile.uniqid }, body })).status,
    ).toBe(415)
  })
})
