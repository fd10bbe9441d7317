// The short form of stress/waiting-inquiries.test.ts.
import { expect, test } from 'vitest'
import { startServiceForFile } from '../kit/test-service.ts'
import { acceptAll, countStatements, startWaitingInquiries } from '../kit/waiting-inquiries.ts'

const WAITING = 100

const service = await startServiceForFile({})

test(`200: ${WAITING} waiting inquiries cause no statements, and respond to the decision`, async () => {
  const inquiries = await startWaitingInquiries(service, WAITING, 25)
  expect((await countStatements(1_000, inquiries)).inquiries).toBe(0)
  const { notAccepted, longestMs } = await acceptAll(inquiries)
  expect([notAccepted, service.waiting()]).toEqual([[], 0])
  // Below the 25 s after which a wait ends. The stress test checks the limit of one second.
  expect(longestMs).toBeLessThan(20_000)
})
