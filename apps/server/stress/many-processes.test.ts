// Ten starts at once, and the exchange of every process under traffic.
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { meet } from '../test/harness.ts'
import { ONCE, onceOnly } from '../test/once-only.ts'
import { isAlive, readyPids, startReadyProcess } from '../test/server-process.ts'
import { temporaryDatabase } from '../test/temporary.ts'
import { beginCalls, percentile } from './open-loop.ts'
import { UNBOUNDED } from './servers.ts'

const AT_ONCE = 10
const PER_SECOND = 200
const ROUNDS = 1
const LONGEST_MS = 20_000
const PATIENCE = { timeout: 240_000, interval: 50 }

type Server = Awaited<ReturnType<typeof startReadyProcess>>
const exchanged = ({ stdout }: Server) => stdout().split('all workers were replaced').length - 1

test(`${AT_ONCE} processes start at once on an empty database, and again on one that is up to date: each becomes ready, and all is there once`, async () => {
  await using database = await temporaryDatabase('template0')
  for (const round of ['empty', 'up to date']) {
    const beganAtMs = performance.now()
    const settings = { DATABASE_URL: database.url, TIWALA_DATA_DIR: database.folder }
    const servers = await Promise.all(Array.from({ length: AT_ONCE }, () => startReadyProcess(settings)))
    console.log(`${round}: all ${AT_ONCE} are ready after ${Math.round(performance.now() - beganAtMs)} ms`)
    expect(await onceOnly(database.url)).toEqual(ONCE)
    expect(await readdir(database.folder)).toEqual(['keys.json'])
    const everybody = await Promise.all(servers.map(({ url }) => meet(url)))
    expect(new Set(everybody.map(({ partner }) => JSON.stringify(partner))).size).toBe(1)
    expect(await Promise.all(everybody.map(async (people) => (await people.inquire('unknown')).status))).toEqual(servers.map(() => 404))
    expect(await Promise.all(servers.map(({ end }) => end('SIGTERM')))).toEqual(servers.map(() => 0))
  }
})

/** A connection that was on its way to a process when that one was killed hangs: the first process keeps it open (Node's `cluster`). */
const inTime = (answer: Promise<Response>) =>
  Promise.race([
    answer,
    sleep(LONGEST_MS).then(() => {
      throw new Error('no answer in time')
    }),
  ])

/** Two processes, so many requests in a second of three kinds, and what is done to them meanwhile; tells how the requests fared. */
async function underTraffic(act: (server: Server) => Promise<void>) {
  await using database = await temporaryDatabase()
  const settings = { ...UNBOUNDED, TIWALA_PROCESSES: '2', TIWALA_DRAIN_MS: '1500', LOG_LEVEL: 'info' }
  await using server = await startReadyProcess({ ...settings, DATABASE_URL: database.url, TIWALA_DATA_DIR: database.folder })
  const people = await meet(server.url)
  const trackingNo = await people.pending()
  await people.accept(trackingNo)
  const calls = [
    () => people.inquire(trackingNo),
    () => people.send('issueQrCode', { headers: people.asCitizen, json: { purpose: 'inquire' } }),
    () => people.send('issueExchangeCode', { headers: people.asCitizen, json: { partner_code: people.partner.partner_code } }),
  ]
  let turn = 0
  const { answers, failures, end } = beginCalls(() => inTime(calls[turn++ % calls.length]!()), PER_SECOND)
  const beganAtMs = performance.now()
  await sleep(2_000)
  await act(server)
  await sleep(2_000)
  const seconds = (performance.now() - beganAtMs) / 1_000
  await end()
  const refused = answers.filter(({ status }) => status >= 400)
  console.log(
    `${(turn / seconds).toFixed(0)} requests a second, ${turn} in all; p99 ${Math.round(percentile(answers, 99))} ms, ` +
      `${failures.length} had no answer, ${refused.length} were refused`,
  )
  const causes = failures.map((error) => String((error as Error).cause ?? error))
  return { perSecond: turn / seconds, failed: [...causes, ...refused], stdout: server.stdout() }
}

test(`SIGHUP exchanges every process at ${PER_SECOND} requests a second: none fails`, async () => {
  const { perSecond, failed, stdout } = await underTraffic(async (server) => {
    for (let round = 1; round <= ROUNDS; round++) {
      server.tell('SIGHUP')
      await vi.waitUntil(() => exchanged(server) === round, PATIENCE)
    }
  })
  expect(failed).toEqual([])
  expect(perSecond).toBeGreaterThan(PER_SECOND * 0.95)
  expect(new Set(readyPids(stdout)).size).toBe(2 + 2 * ROUNDS)
})

test('control: where processes are killed, and not drained, requests fail', async () => {
  const { failed } = await underTraffic(async ({ stdout }) => {
    for (let died = 0; died < 2; died++) {
      process.kill(readyPids(stdout())[died]!, 'SIGKILL')
      await vi.waitUntil(() => readyPids(stdout()).length === 3 + died, PATIENCE)
    }
  })
  expect(failed.length).toBeGreaterThan(0)
})

test('SIGHUP takes up a changed settings file; a wrong one changes nothing, and is named', async () => {
  await using database = await temporaryDatabase()
  const file = join(database.folder, 'settings.env')
  const write = (lifeSeconds: string) => writeFile(file, `TIWALA_PROCESSES=2\nTIWALA_QR_TTL_SECONDS=${lifeSeconds}\n`)
  await write('60')
  const settings = { DATABASE_URL: database.url, TIWALA_DATA_DIR: join(database.folder, 'data'), LOG_LEVEL: 'info' }
  await using server = await startReadyProcess(settings, [`--env-file=${file}`])
  const people = await meet(server.url)
  const lifeSeconds = async () => {
    const answer = await people.send('issueQrCode', { headers: people.asCitizen, json: { purpose: 'inquire' } })
    return Math.round((Date.parse(((await answer.json()) as { expires_at: string }).expires_at) - Date.now()) / 10_000) * 10
  }
  expect(await lifeSeconds()).toBe(60)

  await write('600')
  server.tell('SIGHUP')
  await vi.waitUntil(() => exchanged(server) === 1, PATIENCE)
  expect(await lifeSeconds()).toBe(600)

  await write('soon')
  server.tell('SIGHUP')
  await vi.waitUntil(() => server.stdout().includes('new worker could not start; the old workers keep running'), PATIENCE)
  expect(server.stdout()).toMatch(/"reason":"TIWALA_QR_TTL_SECONDS: \\"soon\\" is not a whole number/)
  expect(await lifeSeconds()).toBe(600)
  expect(readyPids(server.stdout())).toHaveLength(4)
  expect(await server.end('SIGTERM')).toBe(0)
})

test('no process outlives the first, however that one ends', async () => {
  await using database = await temporaryDatabase()
  const settings = { DATABASE_URL: database.url, TIWALA_DATA_DIR: database.folder, TIWALA_PROCESSES: '2', LOG_LEVEL: 'info' }
  await using server = await startReadyProcess(settings)
  // The log is written every now and then, so it may come later than the word that the server is ready.
  const pids = await vi.waitFor(() => {
    const found = readyPids(server.stdout())
    expect(found.filter(isAlive)).toHaveLength(2)
    return found
  }, PATIENCE)
  await server.end('SIGKILL')
  await vi.waitUntil(() => !pids.some(isAlive), PATIENCE)
})
