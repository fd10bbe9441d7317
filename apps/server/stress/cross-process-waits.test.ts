import { expect, test } from 'vitest'
import { measureCrossProcessWaits } from './cross-process-waits.ts'

const WAITING = 500

test(`${WAITING} who wait in one process hear within a second of what happened in another`, async () => {
  const heard = await measureCrossProcessWaits(WAITING)
  const longestMs = Math.max(...heard.map(({ sinceAnswerMs }) => sinceAnswerMs))
  console.log(`heard at most ${Math.round(longestMs)} ms after the citizen's answer`)
  expect(new Set(heard.map(({ state }) => state))).toEqual(new Set(['ACCEPTED']))
  expect(Math.min(...heard.map(({ sinceBeginMs }) => sinceBeginMs))).toBeGreaterThan(0)
  expect(longestMs).toBeLessThan(1_000)
})
