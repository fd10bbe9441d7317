// Journeys of arbitrary actions. A failure prints a minimal journey, a seed and a path: TIWALA_FUZZ_SEED and
// TIWALA_FUZZ_PATH repeat it.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../src/fuzz/fuzz-seed.ts'
import { startServiceForFile } from '../src/kit/test-service.ts'
import { type Action, ACTIONS, JOURNEY_SETTINGS, startJourney } from './journey.ts'

const JOURNEYS = 150
const ACTIONS_PER_JOURNEY = 40

const service = await startServiceForFile(JOURNEY_SETTINGS)

const action = fc.tuple(fc.constantFrom(...ACTIONS), fc.nat({ max: 7 }))
const journey = fc.array(action, { minLength: 10, maxLength: ACTIONS_PER_JOURNEY, size: 'max' })

test(`${JOURNEYS} journeys: no use after use, revocation, rotation or expiry`, async () => {
  const outcomes: Record<string, number> = {}
  const property = fc.asyncProperty(journey, async (steps) => {
    const act = await startJourney(service)
    for (const [name, index] of steps) {
      const outcome = await act(name, index)
      if (!outcome) continue
      expect([name, outcome.actual]).toEqual([name, outcome.expected])
      outcomes[`${name} ${outcome.actual}`] = (outcomes[`${name} ${outcome.actual}`] ?? 0) + 1
    }
  })
  await fc.assert(property, runs(JOURNEYS))
  console.log('actions by outcome:', outcomes)
})

test('control: the model notices a token that the service no longer accepts', async () => {
  const act = await startJourney(service)
  const steps: [Action, number][] = [
    ['issueCode', 0],
    ['exchange', 0],
  ]
  for (const [name, index] of steps) await act(name, index)
  await service.db.deleteFrom('access_token' as never).execute()
  expect(await act('signIn', 0)).toEqual({ expected: 'OK', actual: 'token_invalid' })
})
