import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorBody } from '../kit/error-body.ts'
import { type Citizen, startTestService, type TestService } from '../kit/test-service.ts'

let service: TestService
beforeAll(async () => void (service = await startTestService()))
afterAll(() => service.close())

const NOTHING = { frozen: false, blocked_partners: [] }

const read = async ({ app }: Citizen) => (await app('readPreferences', {})).body

const unknownCitizenHeaders = async () => ({
  Authorization: `Bearer ${await service.tokens.citizen('UNKNOWN')}`,
})
const UNKNOWN_CITIZEN = {
  status: 404,
  error: 'not_found',
  message: 'The registry does not know this citizen',
}

describe('readPreferences', () => {
  test('200: a new citizen has blocked nothing', async () => {
    expect(await read(await service.citizen())).toEqual(NOTHING)
  })

  test('404: a citizen that the registry does not know', async () => {
    expect(
      await errorBody(await service.send('readPreferences', { headers: await unknownCitizenHeaders() })),
    ).toMatchObject(UNKNOWN_CITIZEN)
  })
})
