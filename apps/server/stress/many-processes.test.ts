// Ten starts at once, and a rolling restart of processes that share one port.
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { freePort } from '../src/testing/start-service.ts'
import { createApiClient } from '../test/kit/api-client.ts'
import { EXPECTED_COUNTS, countSeedRows } from '../test/kit/seed-counts.ts'
import { startReadyProcess } from '../test/kit/server-process.ts'
import { temporaryDatabase } from '../test/kit/temporary-resources.ts'
import { startLoad, percentile } from './load-generator.ts'
import { processesThatFit } from './process-count.ts'
import { UNBOUNDED } from './servers.ts'

const AT_ONCE = 10
const PER_SECOND = 200
const ROUNDS = 2
const PROCESSES = await processesThatFit(4)
const migratesConnections = await readFile('/proc/sys/net/ipv4/tcp_migrate_req', 'utf8').then(
  (value) => Number(value) > 0,
  () => false,
)
/** Without that setting, the kernel can reset a connection: as the operator's guide says, in 5 of 200 restarts. */
const MAX_RESET = migratesConnections ? 0 : 1

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
 * Ends each of several processes on one port with the signal, and starts it again, one after the other, under
 * a load of three kinds of requests. Every second request has a connection of its own, the others use
 * connections that are kept alive. Returns the failed requests.
 */
async function restartUnderLoad(signal: NodeJS.Signals) {
  await using database = await temporaryDatabase()
  const settings = {
    ...UNBOUNDED,
    ...database.settings,
    PORT: String(await freePort()),
    TIWALA_REUSE_PORT: 'true',
    TIWALA_DRAIN_MS: '1500',
  }
  const servers = [await startReadyProcess(settings)]
  while (servers.length < PROCESSES) servers.push(await startReadyProcess(settings))
  const api = await createApiClient(servers[0]!.url)
  const trackingNo = await api.createPendingRecord()
  await api.accept(trackingNo)
  const issue = (id: 'issueQrCode' | 'issueExchangeCode', json: object, headers: Record<string, string>) =>
    api.send(id, { headers: { ...api.asCitizen, ...headers }, json })
  const calls = [
    (headers: Record<string, string>) => api.inquire(trackingNo, headers),
    issue.bind(undefined, 'issueQrCode', { purpose: 'inquire' }),
    issue.bind(undefined, 'issueExchangeCode', { partner_code: api.partner.partner_code }),
  ]
  const exitCodes = new Set<number | null>()
  let turn = 0
  const call = () => {
    const isFresh = turn % 2 === 0
    return calls[turn++ % calls.length]!(isFresh ? { Connection: 'close' } : {})
  }
  const { responses, failures, end } = startLoad(call, PER_SECOND)
  const startedAtMs = performance.now()
  await sleep(2_000)
  for (let restart = 0; restart < ROUNDS * PROCESSES; restart++) {
    exitCodes.add(await servers[restart % PROCESSES]!.end(signal))
    servers[restart % PROCESSES] = await startReadyProcess(settings)
  }
  await sleep(2_000)
  const seconds = (performance.now() - startedAtMs) / 1_000
  await end()
  const refused = responses.filter(({ status }) => status >= 400)
  console.log(
    `${PROCESSES} processes, ${signal}: ${(turn / seconds).toFixed(0)} requests a second, ${turn} in all; ` +
      `p99 ${Math.round(percentile(responses, 99))} ms, ` +
      `${failures.length} had no response, ${refused.length} were refused`,
  )
  const causes = failures.map((error) => String((error as Error).cause ?? error))
  return { perSecond: turn / seconds, failed: [...causes, ...refused], exitCodes: [...exitCodes] }
}

test(`a rolling restart at ${PER_SECOND} requests a second fails no request that the server has read`, async () => {
  const { perSecond, failed, exitCodes } = await restartUnderLoad('SIGTERM')
  expect(failed).toEqual(failed.map(() => 'Error: read ECONNRESET'))
  expect(failed.length).toBeLessThanOrEqual(MAX_RESET)
  expect(exitCodes).toEqual([0])
  expect(perSecond).toBeGreaterThan(PER_SECOND * 0.95)
})

test('control: requests fail when processes are killed without a drain', async () => {
  const { failed } = await restartUnderLoad('SIGKILL')
  expect(failed.length).toBeGreaterThan(MAX_RESET)
})
