// Several processes on one machine share one port.
import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { freePort } from '../../src/testing/start-service.ts'
import { locate, createApiClient } from '../kit/api-client.ts'
import { EXPECTED_COUNTS, countSeedRows } from '../kit/seed-counts.ts'
import { startupErrorOf, isAlive, readyPids, startReadyProcess } from '../kit/server-process.ts'
import { temporaryDatabase } from '../kit/temporary-resources.ts'

const PROCESSES = 2
const POLLING = { timeout: 60_000, interval: 50 }

test('workers start on an empty database, are ready once, are replaced, and end together', async () => {
  await using database = await temporaryDatabase('template0')
  const settings = {
    ...database.settings,
    TIWALA_PROCESSES: String(PROCESSES),
    LOG_LEVEL: 'info',
  }
  const operatorAddress = `127.0.0.1:${await freePort()}`
  await using server = await startReadyProcess({ ...settings, TIWALA_OPERATOR_ADDRESS: operatorAddress })
  expect(
    server.stdout().split(`Tiwala is ready (sandbox, over PostgreSQL, ${PROCESSES} processes).`),
  ).toHaveLength(2)
  await expect.poll(() => new Set(readyPids(server.stdout())).size, POLLING).toBe(PROCESSES)
  const [first] = readyPids(server.stdout())

  expect(await countSeedRows(database.url)).toEqual(EXPECTED_COUNTS)
  expect(await readdir(database.folder)).toEqual(['keys.json'])

  const api = await createApiClient(server.url)
  const trackingNo = await api.createPendingRecord()
  const statuses = await Promise.all(
    Array.from({ length: 4 * PROCESSES }, async () => (await api.inquire(trackingNo)).status),
  )
  expect(new Set(statuses)).toEqual(new Set([200]))

  process.kill(first!, 'SIGKILL')
  await expect.poll(() => readyPids(server.stdout()).length, POLLING).toBe(PROCESSES + 1)
  expect(server.stdout()).toContain(`"pid":${first},"how":"SIGKILL"`)
  expect((await createApiClient(server.url)).partner).toEqual(api.partner)

  const operatorApi = `http://${operatorAddress}${locate('listPartners').path}`
  const listed = Array.from(
    { length: 2 * PROCESSES },
    async () => (await fetch(operatorApi, { headers: api.asOperator })).status,
  )
  expect(new Set(await Promise.all(listed))).toEqual(new Set([200]))

  expect(await server.end('SIGTERM')).toBe(0)
  expect(readyPids(server.stdout()).filter(isAlive)).toEqual([])
  expect(server.stderr()).toBe('')
})

test('SIGINT ends all workers without the drain of SIGTERM', async () => {
  await using database = await temporaryDatabase()
  const settings = {
    ...database.settings,
    TIWALA_PROCESSES: String(PROCESSES),
    // One document, because each worker needs a second of processor time to compile all of them.
    TIWALA_DOCUMENTS: 'citizen-app',
    LOG_LEVEL: 'info',
  }
  await using server = await startReadyProcess({ ...settings, TIWALA_DRAIN_MS: '600000' })
  await expect.poll(() => readyPids(server.stdout()).filter(isAlive).length, POLLING).toBe(PROCESSES)
  // A drain of ten minutes would exceed the timeout of this test.
  expect(await server.end('SIGINT')).toBe(0)
  expect(readyPids(server.stdout()).filter(isAlive)).toEqual([])
})

test('TIWALA_PROCESSES above one needs PostgreSQL', async () => {
  expect(await startupErrorOf({ TIWALA_PROCESSES: '2' })).toBe(
    'Tiwala cannot start: TIWALA_PROCESSES: more than one needs PostgreSQL (DATABASE_URL) ' +
      '(see SETTINGS.md)\n',
  )
})
