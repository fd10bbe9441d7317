import { afterAll, beforeAll, expect, test } from 'vitest'
import { judge, peopleOf, play } from '../src/harness/transition-rounds.ts'
import { startWorld, type World } from '../src/harness/world.ts'

const ROUNDS = 1_000

let world: World
beforeAll(async () => void (world = await startWorld({})))
afterAll(() => world.close())

test(`200, 409: of 16 who accept, decline, cancel and revoke at once, while the time runs out, one wins: ${ROUNDS} rounds`, async () => {
  const { faults, paths } = await judge(world, await play(world, await peopleOf(world), ROUNDS))
  console.log('the ways that the records went:', paths)
  expect(faults).toEqual([])
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(['DECLINED', 'CANCELLED', 'EXPIRED', 'ACCEPTED,REVOKED']))
})
