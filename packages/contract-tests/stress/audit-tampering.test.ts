import { afterAll, beforeAll, expect, test } from 'vitest'
import { untilSealed, verifyAll } from '../src/harness/audit.ts'
import { compareRates } from '../src/harness/sealing-cost.ts'
import { fill, pickTarget, suffer, unlock } from '../src/harness/tampering.ts'
import { TAMPERINGS } from '../src/harness/tamperings.ts'
import { startWorld, type World } from '../src/harness/world.ts'

const WRITERS = 16
const ROWS_OF_EACH = 10_000
const TAMPERINGS_TRIED = 100
const MEASURED = { workers: WRITERS, rounds: 8, lastsMs: 4_000 }

let world: World
beforeAll(async () => void (world = await startWorld({})))
afterAll(() => world.close())

test(`200: ${WRITERS} x ${ROWS_OF_EACH} rows: no false alarm; ${TAMPERINGS_TRIED} tamperings: each found, and placed`, async () => {
  const written = await fill(world, WRITERS, ROWS_OF_EACH)
  await untilSealed(world.operator)
  const { checkpoints, rows, fault } = await verifyAll(world.operator)
  console.log(`${rows} rows under ${checkpoints} checkpoints`)
  expect([written, rows, fault]).toEqual([WRITERS * ROWS_OF_EACH, written, null])
  await unlock(world)
  for (let index = 0; index < TAMPERINGS_TRIED; index++) {
    const tampering = TAMPERINGS[index % TAMPERINGS.length]!
    const target = await pickTarget(world)
    const found = await suffer(world, tampering, target, target.a.checkpoint)
    expect({ how: tampering.how, target, found }).toMatchObject({ target, found: tampering.found(target) })
  }
  expect(await verifyAll(world.operator)).toEqual({ checkpoints, rows, fault: null })
})

test('200: recordingDisclosure costs at most a twentieth more where it is sealed', async () => {
  const { partner, citizen, trackingNo } = await world.pending()
  await citizen.accept(trackingNo)
  const { rates, ratio } = await compareRates(world, () => partner.profiles.inquire(trackingNo), MEASURED)
  console.log('disclosures in a second:', rates, 'median of the ratios:', ratio)
  expect(ratio).toBeGreaterThan(0.95)
})
