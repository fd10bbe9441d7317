// One partner sends 300 concurrent requests, another sends 100. None of the 100 is refused, and their median
// duration is at most 3 times the median without the flood.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { locate } from '@tiwala/kit/operations'
import { createPartner } from '@tiwala/kit/users'
import { expect, test } from 'vitest'
import { createApiClient } from '../test/kit/api-client.ts'
import { startReadyProcess } from '../test/kit/server-process.ts'
import { temporaryDatabase } from '../test/kit/temporary-resources.ts'
import type { Flood } from './flood-worker.ts'
import { type ResponseResult, percentile } from './load-generator.ts'

/** Four for each of 100 at once, so that not only the burst after a pause is measured. */
const REQUESTS = 400
const ROUNDS = 3
/** The default limits. */
const BOUNDED = { TIWALA_MAX_QUEUED_MS: '500', TIWALA_REQUEST_DEADLINE_MS: '1000', LOG_LEVEL: 'silent' }

function startFlood(workerData: Flood) {
  const worker = new Worker(new URL('flood-worker.ts', import.meta.url), { workerData })
  return async () => {
    worker.postMessage('end', [])
    const [statuses] = (await once(worker, 'message')) as [Record<string, number>]
    return statuses
  }
}

/** Sends 400 requests, `atOnce` at a time. Returns their results. */
async function measure(call: () => Promise<Response>, atOnce: number): Promise<ResponseResult[]> {
  const responses: ResponseResult[] = []
  const sendInTurn = async () => {
    for (let count = 0; count < REQUESTS / atOnce; count++) {
      const atMs = performance.now()
      const response = await call()
      await response.arrayBuffer()
      responses.push({ atMs, tookMs: performance.now() - atMs, status: response.status, retryAfter: null })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sendInTurn))
  return responses
}

async function prepare() {
  const database = await temporaryDatabase()
  const server = await startReadyProcess({
    ...BOUNDED,
    ...database.settings,
  })
  const api = await createApiClient(server.url)
  const { headers } = await createPartner(api.operator, {
    partner_code: 'FLOODING',
    scopes: ['PROFILE_INQUIRE'],
  })
  const flood = {
    url: `${server.url}${locate('inquire').path}?tracking_no=NONE`,
    headers,
    concurrency: 300,
  }
  const trackingNo = await api.createPendingRecord()
  await api.accept(trackingNo)
  const call = () => api.inquire(trackingNo)
  for (let round = 0; round < ROUNDS; round++) await measure(call, 10)
  return {
    call,
    flood,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

/**
 * A single request at a time is compared with an idle service: each of its steps waits for a step of the
 * flood.
 */
const MAX_RATIO = { 1: 5, 10: 3, 100: 3 }

test.each([1, 10, 100] as const)(
  '200: %i concurrent requests of a partner beside 300 of another',
  async (atOnce) => {
    await using prepared = await prepare()
    const { call, flood } = prepared
    const [calm, duringFlood]: [ResponseResult[], ResponseResult[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      calm.push(...(await measure(call, atOnce)))
      const end = startFlood(flood)
      await sleep(2_000)
      duringFlood.push(...(await measure(call, atOnce)))
      console.log('responses to the flood:', await end())
    }
    const [calmMs, duringFloodMs] = [percentile(calm, 50), percentile(duringFlood, 50)]
    console.log(
      `${atOnce} at once: median calm ${calmMs.toFixed(1)} ms, ` +
        `during the flood ${duringFloodMs.toFixed(1)} ms`,
    )
    expect(duringFlood.filter(({ status }) => status !== 200)).toEqual([])
    expect(duringFloodMs / calmMs).toBeLessThan(MAX_RATIO[atOnce])
  },
)
