// One partner sends far more requests than the server can process.
// stress/fair-share.test.ts measures the effect on another partner.
import { setTimeout as sleep } from 'node:timers/promises'
import { createPartner } from '@tiwala/kit/users'
import { expect, onTestFinished, test } from 'vitest'
import { startServiceForFile } from '../../kit/api-client.ts'

const FLOODING = 100
const REQUESTS = 40
const AT_ONCE = 8
/** A client pauses after a refusal. Without the pause, the test would spend its time on refusals. */
const PAUSE_MS = 250

const { api } = await startServiceForFile({ TIWALA_MAX_IN_FLIGHT: '1', TIWALA_MAX_QUEUED: '16' })

type SecretHeaders = { 'X-Secret-Code': string; 'X-Secret-Token': string }

/** Registers a partner and returns its secret headers. */
async function register(partner_code: string): Promise<SecretHeaders> {
  return (await createPartner(api.operator, { partner_code, scopes: ['PROFILE_INQUIRE'] })).headers
}

const FLOODS = [
  { from: 'another partner', status: 404, headersOf: register },
  {
    from: 'an attacker who knows its X-Secret-Code, at the same address,',
    status: 401,
    headersOf: async (code: string) => ({
      ...(await register(code)),
      'X-Secret-Code': api.partner.secret_code,
    }),
  },
]

test.each(FLOODS)(
  `200: no request of ${REQUESTS} is refused while $from sends ${FLOODING} concurrent requests`,
  { timeout: 60_000 },
  async (flood) => {
    const headers = await flood.headersOf(`FLOODING_${flood.status}`)
    const trackingNo = await api.createPendingRecord()

    const statusesOfFlood = new Set<number>()
    const ending = new AbortController()
    const floods = Array.from({ length: FLOODING }, async () => {
      while (!ending.signal.aborted) {
        const response = await api.send('inquire', { headers, query: { tracking_no: 'NONE' } })
        await response.arrayBuffer()
        statusesOfFlood.add(response.status)
        if (response.status === 503) await sleep(PAUSE_MS)
      }
    })
    onTestFinished(async () => {
      ending.abort()
      await Promise.all(floods)
    })
    // The queue is full: the server refuses further requests.
    await expect.poll(() => statusesOfFlood, { timeout: 20_000 }).toEqual(new Set([flood.status, 503]))

    const statuses: number[] = []
    const sendInTurn = async () => {
      for (let count = 0; count < REQUESTS / AT_ONCE; count++)
        statuses.push((await api.inquire(trackingNo)).status)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, sendInTurn))
    expect(statuses).toEqual(Array.from({ length: REQUESTS }, () => 200))
  },
)

test('404: a request that waits for its diagnosis to be written holds no slot', async () => {
  const trackingNo = await api.createPendingRecord()
  let completed = 0
  const diagnoses = Array.from({ length: 8 }, async () => {
    const { status } = await api.send('readDiagnosis', {
      headers: api.asPartner,
      path: { request_id: 'req_unknown' },
    })
    completed++
    return status
  })
  const inquiry = api.inquire(trackingNo).then(({ status }) => [status, completed < diagnoses.length])
  expect(await inquiry).toEqual([200, true])
  expect(new Set(await Promise.all(diagnoses))).toEqual(new Set([404]))
})

test('404: beyond ten requests of a partner, a diagnosis request does not wait for its writing', async () => {
  const isAnsweredAtOnce = async () => {
    const sentAtMs = performance.now()
    const { status } = await api.send('readDiagnosis', {
      headers: api.asPartner,
      path: { request_id: 'req_unknown' },
    })
    expect(status).toBe(404)
    return performance.now() - sentAtMs < 250
  }
  // Each of the first ten takes at least 250 ms.
  const someAreAnsweredAtOnce = async () =>
    (await Promise.all(Array.from({ length: 16 }, isAnsweredAtOnce))).includes(true)
  await expect.poll(someAreAnsweredAtOnce, { timeout: 60_000 }).toBe(true)
})
