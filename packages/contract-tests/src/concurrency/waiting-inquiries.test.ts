// In short; stress/waiting-crowd.test.ts is the long form.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { acceptAll, askedWithin, gather } from '../harness/crowd.ts'
import { startWorld, type World } from '../harness/world.ts'

const WAITING = 100

let world: World
beforeAll(async () => void (world = await startWorld({})))
afterAll(() => world.close())

test(`200: while ${WAITING} wait, the database is not asked for them; each has its answer when the citizen answers`, async () => {
  const crowd = await gather(world, WAITING, 25)
  expect((await askedWithin(1_000, crowd)).inquiries).toBe(0)
  const { inVain, longestMs } = await acceptAll(crowd)
  expect([inVain, world.waiting()]).toEqual([[], 0])
  // Below the 25 s after which a wait ends by itself. The long form holds the bar of one second.
  expect(longestMs).toBeLessThan(20_000)
})
