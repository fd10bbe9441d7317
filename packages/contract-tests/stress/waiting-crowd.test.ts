import { afterEach, beforeEach, expect, test } from 'vitest'
import { acceptAll, askedWithin, gather } from '../src/harness/crowd.ts'
import { startWorld, type World } from '../src/harness/world.ts'

const WAITING = 1_000
const QUIET_MS = 3_000
/** Longer than partners may: a slow machine needs a while to answer for a thousand citizens. */
const WAIT_SECONDS = 120

let world: World
beforeEach(async () => void (world = await startWorld({ TIWALA_LONGEST_WAIT_SECONDS: String(WAIT_SECONDS) })))
afterEach(() => world.close())

test(`200: ${WAITING} who wait cost no statement, and each has its answer within a second of the citizen's`, async () => {
  const alone = await askedWithin(QUIET_MS)
  const crowd = await gather(world, WAITING, WAIT_SECONDS)
  const beside = await askedWithin(QUIET_MS, crowd)
  console.log(`statements in ${QUIET_MS} ms: ${alone.statements} with nobody waiting, ${beside.statements} with ${WAITING}`)
  expect(beside.inquiries).toBe(0)
  expect(beside.statements - alone.statements).toBeLessThan(WAITING / 100)
  const { inVain, longestMs } = await acceptAll(crowd)
  console.log(`answered at most ${Math.round(longestMs)} ms after the citizen`)
  expect([inVain, world.waiting()]).toEqual([[], 0])
  expect(longestMs).toBeLessThan(1_000)
})

test(`200: all ${WAITING} who wait look again at once when the clock moves, and none is refused; nor when the process ends`, async () => {
  const crowd = await gather(world, WAITING, WAIT_SECONDS)
  const asked = askedWithin(QUIET_MS, crowd)
  await world.advance(1)
  expect((await asked).inquiries).toBe(WAITING)
  expect(world.waiting()).toBe(WAITING)
  await world.close()
  expect(new Set((await Promise.all(crowd.waiters.map(({ answer }) => answer))).map(({ state }) => state))).toEqual(new Set(['PENDING']))
})
