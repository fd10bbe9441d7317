import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import { startService } from '../src/testing/start-service.ts'
import { createApiClient } from '../test/kit/api-client.ts'
import { settingsOf } from '../test/kit/database-url.ts'
import { startReadyProcess } from '../test/kit/server-process.ts'

const WAITING = 500
/** The time until a sent inquiry waits. */
const SETTLING_MS = 300
const AT_ONCE = 20

type WaitResult = { state: string | null; sinceSentMs: number; sinceAcceptedMs: number }

/**
 * Lets `waiting` inquiries wait in one process while the citizen accepts through another. Returns the state
 * of each response, and its delay after the start and after the end of the acceptance.
 */
async function measureCrossProcessWaits(waiting: number): Promise<WaitResult[]> {
  const { url, db, config, close } = await startService(inject('postgres'))
  await using ending = new AsyncDisposableStack()
  ending.defer(close)
  await using other = await startReadyProcess(await settingsOf({ db, config }))

  const [here, there] = [await createApiClient(url), await createApiClient(other.url)]
  const waits: WaitResult[] = []
  for (let done = 0; done < waiting; done += AT_ONCE) {
    const trackingNos = await Promise.all(Array.from({ length: AT_ONCE }, () => here.createPendingRecord()))
    const responses = trackingNos.map(async (tracking_no) => {
      const response = await there.send('inquire', {
        headers: { ...there.asPartner, Prefer: 'wait=25' },
        query: { tracking_no },
      })
      return { state: response.headers.get('x-authorization-state'), atMs: performance.now() }
    })
    await sleep(SETTLING_MS)
    const accept = async (trackingNo: string, index: number) => {
      const sentMs = performance.now()
      await here.accept(trackingNo)
      const acceptedMs = performance.now()
      const { state, atMs } = await responses[index]!
      return { state, sinceSentMs: atMs - sentMs, sinceAcceptedMs: atMs - acceptedMs }
    }
    waits.push(...(await Promise.all(trackingNos.map(accept))))
  }
  return waits
}

test(`${WAITING} waits in one process end within a second of an acceptance in another`, async () => {
  const waits = await measureCrossProcessWaits(WAITING)
  const longestMs = Math.max(...waits.map(({ sinceAcceptedMs }) => sinceAcceptedMs))
  console.log(`waited at most ${Math.round(longestMs)} ms after the acceptance`)
  expect(new Set(waits.map(({ state }) => state))).toEqual(new Set(['ACCEPTED']))
  expect(Math.min(...waits.map(({ sinceSentMs }) => sinceSentMs))).toBeGreaterThan(0)
  expect(longestMs).toBeLessThan(1_000)
})
