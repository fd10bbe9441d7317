import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestService, type TestService } from '../src/kit/test-service.ts'
import { acceptAll, countStatements, startWaitingInquiries } from '../src/kit/waiting-inquiries.ts'

const WAITING = 1_000
const QUIET_MS = 3_000
/** Longer than partners may wait, because a slow machine needs time for a thousand acceptances. */
const WAIT_SECONDS = 120

let service: TestService
beforeEach(
  async () => void (service = await startTestService({ TIWALA_MAX_WAIT_SECONDS: String(WAIT_SECONDS) })),
)
afterEach(() => service.close())

test(`200: ${WAITING} waiting inquiries cause no statements, and respond within a second`, async () => {
  const alone = await countStatements(QUIET_MS)
  const inquiries = await startWaitingInquiries(service, WAITING, WAIT_SECONDS)
  const beside = await countStatements(QUIET_MS, inquiries)
  console.log(
    `statements in ${QUIET_MS} ms: ${alone.statements} without waiting inquiries, ` +
      `${beside.statements} with ${WAITING}`,
  )
  expect(beside.inquiries).toBe(0)
  expect(beside.statements - alone.statements).toBeLessThan(WAITING / 100)
  const { notAccepted, longestMs } = await acceptAll(inquiries)
  console.log(`answered at most ${Math.round(longestMs)} ms after the citizen`)
  expect([notAccepted, service.waiting()]).toEqual([[], 0])
  expect(longestMs).toBeLessThan(1_000)
})

test(`200: all ${WAITING} waiting inquiries read again after the clock moves; none is refused`, async () => {
  const inquiries = await startWaitingInquiries(service, WAITING, WAIT_SECONDS)
  const asked = countStatements(QUIET_MS, inquiries)
  await service.advance(1)
  expect((await asked).inquiries).toBe(WAITING)
  expect(service.waiting()).toBe(WAITING)
  await service.close()
  expect(
    new Set(
      (await Promise.all(inquiries.waiters.map(({ pendingResponse }) => pendingResponse))).map(
        ({ state }) => state,
      ),
    ),
  ).toEqual(new Set(['PENDING']))
})
