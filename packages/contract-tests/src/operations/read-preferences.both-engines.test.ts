import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorOf } from '../harness/error-of.ts'
import { type Citizen, startWorld, type World } from '../harness/world.ts'

let world: World
beforeAll(async () => void (world = await startWorld()))
afterAll(() => world.close())

const NOTHING = { frozen: false, blocked_partners: [] }

const read = async ({ app }: Citizen) => (await app('readPreferences', {})).body

const stranger = async () => ({ Authorization: `Bearer ${await world.tokens.citizen('NOBODY')}` })
const UNKNOWN_CITIZEN = { status: 404, error: 'not_found', message: 'The registry does not know this citizen' }

describe('readPreferences', () => {
  test('200: nothing is forbidden to begin with', async () => {
    expect(await read(await world.citizen())).toEqual(NOTHING)
  })

  test('404: a citizen whom the registry does not know', async () => {
    expect(await errorOf(await world.send('readPreferences', { headers: await stranger() }))).toMatchObject(UNKNOWN_CITIZEN)
  })
})
