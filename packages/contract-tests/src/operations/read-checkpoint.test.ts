import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportCheckpoints, untilSealed } from '../harness/audit.ts'
import { refusal, startWorld, type World } from '../harness/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
  await world.partner()
  await untilSealed(world.operator)
})
afterAll(() => world.close())

describe('readCheckpoint', () => {
  test('200: one of them', async () => {
    const [newest] = await exportCheckpoints(world.operator)
    const { body } = await world.operator('readCheckpoint', { path: { checkpoint: newest!.checkpoint } })
    expect(body).toEqual(newest)
  })

  test('404: none has this number; 422 for none at all', async () => {
    expect((await refusal(world.operator('readCheckpoint', { path: { checkpoint: 1_000_000 } }))).code).toBe('not_found')
    expect((await refusal(world.operator('readCheckpoint', { path: { checkpoint: 0 } }))).fields).toHaveProperty('checkpoint')
  })
})
