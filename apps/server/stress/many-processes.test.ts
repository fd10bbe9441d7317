// Ten starts at once, and the replacement of every worker under load.
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createApiClient } from '../test/kit/api-client.ts'
import { EXPECTED_COUNTS, countSeedRows } from '../test/kit/seed-counts.ts'
import { isAlive, readyPids, startReadyProcess } from '../test/kit/server-process.ts'
import { temporaryDatabase } from '../test/kit/temporary-resources.ts'
import { startLoad, percentile } from './load-generator.ts'
import { UNBOUNDED } from './servers.ts'

const AT_ONCE = 10
const PER_SECOND = 200
const ROUNDS = 1
const RESPONSE_TIMEOUT_MS = 20_000
const POLLING = { timeout: 240_000, interval: 50 }

type Server = Awaited<ReturnType<typeof startReadyProcess>>
const countReplacements = ({ stdout }: Server) => stdout().split('all workers were replaced').length - 1

test(`${AT_ONCE} processes start at once on an empty or migrated database: no duplicate rows`, async () => {
  await using database = await temporaryDatabase('template0')
  for (const round of ['empty', 'up to date']) {
    const startedAtMs = performance.now()
    const servers = await Promise.all(
      Array.from({ length: AT_ONCE }, () => startReadyProcess(database.settings)),
    )
    console.log(`${round}: all ${AT_ONCE} are ready after ${Math.round(performance.now() - startedAtMs)} ms`)
    expect(await countSeedRows(database.url)).toEqual(EXPECTED_COUNTS)
    expect(await readdir(database.folder)).toEqual(['keys.json'])
    const apis = await Promise.all(servers.map(({ url }) => createApiClient(url)))
    expect(new Set(apis.map(({ partner }) => JSON.stringify(partner))).size).toBe(1)
    expect(await Promise.all(apis.map(async (api) => (await api.inquire('unknown')).status))).toEqual(
      servers.map(() => 404),
    )
    expect(await Promise.all(servers.map(({ end }) => end('SIGTERM')))).toEqual(servers.map(() => 0))
  }
})

/**
 * A connection hangs if it was on its way to a worker that is killed: the primary keeps it open (Node's
 * `cluster`).
 */
const inTime = (response: Promise<Response>) =>
  Promise.race([
    response,
    sleep(RESPONSE_TIMEOUT_MS).then(() => {
      throw new Error('no response in time')
    }),
  ])

/**
 * Runs `act` on a server with two workers under a load of three kinds of requests. Returns the failed
 * requests.
 */
async function runUnderLoad(act: (server: Server) => Promise<void>) {
  await using database = await temporaryDatabase()
  const settings = { ...UNBOUNDED, TIWALA_PROCESSES: '2', TIWALA_DRAIN_MS: '1500', LOG_LEVEL: 'info' }
  await using server = await startReadyProcess({
    ...settings,
    ...database.settings,
  })
  const api = await createApiClient(server.url)
  const trackingNo = await api.createPendingRecord()
  await api.accept(trackingNo)
  const calls = [
    () => api.inquire(trackingNo),
    () => api.send('issueQrCode', { headers: api.asCitizen, json: { purpose: 'inquire' } }),
    () =>
      api.send('issueExchangeCode', {
        headers: api.asCitizen,
        json: { partner_code: api.partner.partner_code },
      }),
  ]
  let turn = 0
  const { responses, failures, end } = startLoad(() => inTime(calls[turn++ % calls.length]!()), PER_SECOND)
  const startedAtMs = performance.now()
  await sleep(2_000)
  await act(server)
  await sleep(2_000)
  const seconds = (performance.now() - startedAtMs) / 1_000
  await end()
  const refused = responses.filter(({ status }) => status >= 400)
  console.log(
    `${(turn / seconds).toFixed(0)} requests a second, ${turn} in all; ` +
      `p99 ${Math.round(percentile(responses, 99))} ms, ` +
      `${failures.length} had no response, ${refused.length} were refused`,
  )
  const causes = failures.map((error) => String((error as Error).cause ?? error))
  return { perSecond: turn / seconds, failed: [...causes, ...refused], stdout: server.stdout() }
}

test(`SIGHUP replaces every worker at ${PER_SECOND} requests a second, and no request fails`, async () => {
  const { perSecond, failed, stdout } = await runUnderLoad(async (server) => {
    for (let round = 1; round <= ROUNDS; round++) {
      server.sendSignal('SIGHUP')
      await vi.waitUntil(() => countReplacements(server) === round, POLLING)
    }
  })
  expect(failed).toEqual([])
  expect(perSecond).toBeGreaterThan(PER_SECOND * 0.95)
  expect(new Set(readyPids(stdout)).size).toBe(2 + 2 * ROUNDS)
})

test('control: requests fail when workers are killed without a drain', async () => {
  const { failed } = await runUnderLoad(async ({ stdout }) => {
    for (let died = 0; died < 2; died++) {
      process.kill(readyPids(stdout())[died]!, 'SIGKILL')
      await vi.waitUntil(() => readyPids(stdout()).length === 3 + died, POLLING)
    }
  })
  expect(failed.length).toBeGreaterThan(0)
})

test('SIGHUP applies a changed settings file; the log names the error of an invalid one', async () => {
  await using database = await temporaryDatabase()
  const file = join(database.folder, 'settings.env')
  const write = (lifeSeconds: string) =>
    writeFile(file, `TIWALA_PROCESSES=2\nTIWALA_QR_TTL_SECONDS=${lifeSeconds}\n`)
  await write('60')
  const settings = {
    DATABASE_URL: database.url,
    TIWALA_DATA_DIR: join(database.folder, 'data'),
    LOG_LEVEL: 'info',
  }
  await using server = await startReadyProcess(settings, [`--env-file=${file}`])
  const api = await createApiClient(server.url)
  const lifeSeconds = async () => {
    const response = await api.send('issueQrCode', { headers: api.asCitizen, json: { purpose: 'inquire' } })
    return (
      Math.round(
        (Date.parse(((await response.json()) as { expires_at: string }).expires_at) - Date.now()) / 10_000,
      ) * 10
    )
  }
  expect(await lifeSeconds()).toBe(60)

  await write('600')
  server.sendSignal('SIGHUP')
  await vi.waitUntil(() => countReplacements(server) === 1, POLLING)
  expect(await lifeSeconds()).toBe(600)

  await write('soon')
  server.sendSignal('SIGHUP')
  await vi.waitUntil(
    () => server.stdout().includes('new worker could not start; the old workers keep running'),
    POLLING,
  )
  expect(server.stdout()).toMatch(/"reason":"TIWALA_QR_TTL_SECONDS: \\"soon\\" is not a whole number/)
  expect(await lifeSeconds()).toBe(600)
  expect(readyPids(server.stdout())).toHaveLength(4)
  expect(await server.end('SIGTERM')).toBe(0)
})

test('no worker outlives the primary, however the primary ends', async () => {
  await using database = await temporaryDatabase()
  const settings = {
    ...database.settings,
    TIWALA_PROCESSES: '2',
    LOG_LEVEL: 'info',
  }
  await using server = await startReadyProcess(settings)
  // The log is flushed at intervals, so these lines may come after the message that the server is ready.
  const pids = await vi.waitFor(() => {
    const found = readyPids(server.stdout())
    expect(found.filter(isAlive)).toHaveLength(2)
    return found
  }, POLLING)
  await server.end('SIGKILL')
  await vi.waitUntil(() => !pids.some(isAlive), POLLING)
})
