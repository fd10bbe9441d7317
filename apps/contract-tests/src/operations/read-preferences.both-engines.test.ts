import { describe, expect, test } from 'vitest'
import { startServiceForFile } from '../kit/test-service.ts'
import type { Citizen } from '../kit/users.ts'

const service = await startServiceForFile()

const NOTHING = { frozen: false, blocked_partners: [] }

const read = async ({ app }: Citizen) => (await app('readPreferences', {})).body

describe('readPreferences', () => {
  test('200: a new citizen has blocked nothing', async () => {
    expect(await read(await service.citizen())).toEqual(NOTHING)
  })
})
