// Each key is removed from the key ring, or replaced by another key with the same id. The server does not use
// that key ring.
import { randomBytes } from 'node:crypto'
import { readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { PURPOSES, type RingKey } from '../src/secrets/key-ring.ts'
import { createApiClient } from '../test/kit/api-client.ts'
import { databaseUrlOf } from '../test/kit/database-url.ts'
import {
  expectAll,
  NO_RETRIES,
  sendPrepared,
  startServiceWithCanary,
} from '../test/kit/disclosing-requests.ts'
import { startupErrorOf, startReadyProcess } from '../test/kit/server-process.ts'
import { temporaryFolder } from '../test/kit/temporary-resources.ts'

const NOT_READ = 'the changed key ring is not used'
const POLLING = { timeout: 10_000, interval: 50 }

/** The keys of this service stay unchanged. */
const { service: healthy, canary } = await startServiceWithCanary()
const { keys } = JSON.parse(await readFile(join(healthy.config.dataDir, 'keys.json'), 'utf8')) as {
  keys: RingKey[]
}
const address = await databaseUrlOf(healthy)

/** Creates a separate key ring file for a process over the same data. */
async function ringOf(given: RingKey[]) {
  const folder = await temporaryFolder()
  const file = join(folder.path, 'ring.json')
  const write = async (next: RingKey[]) => {
    await writeFile(`${file}.new`, JSON.stringify({ keys: next }))
    await rename(`${file}.new`, file)
  }
  await write(given)
  const settings = {
    ...NO_RETRIES,
    DATABASE_URL: address,
    TIWALA_DATA_DIR: folder.path,
    TIWALA_KEY_RING_FILE: file,
  }
  return { write, remove: () => unlink(file), settings, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] }
}

const without = (purpose: RingKey['purpose']) => keys.filter((key) => key.purpose !== purpose)
const exchanged = (purpose: RingKey['purpose']) =>
  keys.map((key) => (key.purpose === purpose ? { ...key, k: randomBytes(32).toString('base64url') } : key))

describe('before the start', () => {
  test.each([...PURPOSES, 'sandbox', 'sandbox-issuer'] as const)(
    'without a key for %s the server does not start, and one line says so',
    async (purpose) => {
      await using ring = await ringOf(without(purpose))
      expect(await startupErrorOf(ring.settings)).toMatch(
        new RegExp(`^Tiwala cannot start: TIWALA_KEY_RING(_FILE)?: The key ring lacks a .*"${purpose}"`),
      )
    },
  )

  test('with another key-encryption key under the same id the server refuses to start', async () => {
    await using ring = await ringOf(exchanged('key-encryption'))
    expect(await startupErrorOf(ring.settings)).toMatch(/key-encryption|key ring/)
  })
})

describe('while it runs', () => {
  test(
    '200: after a key or the whole file is removed, the server keeps the last valid key ring',
    { timeout: 120_000 },
    async () => {
      await using ring = await ringOf(keys)
      await using server = await startReadyProcess(ring.settings)
      const api = await createApiClient(server.url)
      const refusals = () => server.stdout().split(NOT_READ).length - 1
      const takeAway = [...PURPOSES.map((purpose) => () => ring.write(without(purpose))), ring.remove]
      for (const [done, take] of takeAway.entries()) {
        const prepared = await canary.prepare()
        await take()
        await vi.waitUntil(() => refusals() > done, POLLING)
        expect([done, await sendPrepared(api, prepared)]).toEqual([done, expectAll('right')])
      }
    },
  )

  test.each(['pepper', 'key-encryption', 'access-token'] as const)(
    '200: another %s key under the same id is not used, and the loaded keys stay',
    async (purpose) => {
      await using ring = await ringOf(keys)
      await using server = await startReadyProcess(ring.settings)
      const api = await createApiClient(server.url)
      const prepared = await canary.prepare()
      await ring.write(exchanged(purpose))
      await vi.waitUntil(() => server.stdout().includes(NOT_READ), POLLING)
      expect(server.stdout()).toContain(`(${purpose}) is not the one that this database was used with`)
      expect(await sendPrepared(api, prepared)).toEqual(expectAll('right'))
    },
  )
})
