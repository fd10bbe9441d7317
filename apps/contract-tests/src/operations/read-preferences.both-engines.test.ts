import { describe, expect, test } from 'vitest'
import { errorBody, UNKNOWN_CITIZEN } from '../kit/error-body.ts'
import { startServiceForFile } from '../kit/test-service.ts'
import type { Citizen } from '../kit/users.ts'

const service = await startServiceForFile()

const NOTHING = { frozen: false, blocked_partners: [] }

const read = async ({ app }: Citizen) => (await app('readPreferences', {})).body

describe('readPreferences', () => {
  test('200: a new citizen has blocked nothing', async () => {
    expect(await read(await service.citizen())).toEqual(NOTHING)
  })

  test('404: a citizen that the registry does not know', async () => {
    expect(
      await errorBody(
        await service.send('readPreferences', { headers: await service.unknownCitizenHeaders() }),
      ),
    ).toMatchObject(UNKNOWN_CITIZEN)
  })
})
