// SECURITY section 3: each key is taken out of the ring, or exchanged for another of its name.
import { randomBytes } from 'node:crypto'
import { readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { PURPOSES, type RingKey } from '../src/secrets/key-ring.ts'
import { startService, type TestService } from '../src/testing/start-service.ts'
import { all, FOUR, NO_RETRIES, prepareCanary, present } from '../test/disclosing-calls.ts'
import { meet, type People } from '../test/harness.ts'
import { complaintOf, startReadyProcess } from '../test/server-process.ts'
import { temporaryFolder } from '../test/temporary.ts'
import { addressOf } from './database-of.ts'

const NOT_READ = 'key ring could not be reloaded'
const PATIENCE = { timeout: 10_000, interval: 50 }

/** Its keys stay as they are. */
let sound: TestService
let canary: Awaited<ReturnType<typeof prepareCanary>>
let keys: RingKey[]
let address: string
beforeAll(async () => {
  sound = await startService(inject('postgres'), NO_RETRIES)
  canary = await prepareCanary(sound)
  keys = (JSON.parse(await readFile(join(sound.config.dataDir, 'keys.json'), 'utf8')) as { keys: RingKey[] }).keys
  address = await addressOf(sound)
})
afterAll(() => sound.close())

/** A ring of its own for a process over the same data. */
async function ringOf(given: RingKey[]) {
  const folder = await temporaryFolder()
  const file = join(folder.path, 'ring.json')
  const write = async (next: RingKey[]) => {
    await writeFile(`${file}.new`, JSON.stringify({ keys: next }))
    await rename(`${file}.new`, file)
  }
  await write(given)
  const settings = { ...NO_RETRIES, DATABASE_URL: address, TIWALA_DATA_DIR: folder.path, TIWALA_KEY_RING_FILE: file }
  return { write, remove: () => unlink(file), settings, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] }
}

const without = (purpose: RingKey['purpose']) => keys.filter((key) => key.purpose !== purpose)
const exchanged = (purpose: RingKey['purpose']) =>
  keys.map((key) => (key.purpose === purpose ? { ...key, k: randomBytes(32).toString('base64url') } : key))

describe('before the start', () => {
  test.each([...PURPOSES, 'sandbox', 'sandbox-issuer'] as const)(
    'without a key for %s it does not start, and says so in one line',
    async (purpose) => {
      await using ring = await ringOf(without(purpose))
      expect(await complaintOf(ring.settings)).toMatch(new RegExp(`^Tiwala cannot start: The key ring lacks a .*"${purpose}"`))
    },
  )

  test('with another key-encryption key of the same name it does not start, and says so', async () => {
    await using ring = await ringOf(exchanged('key-encryption'))
    expect(await complaintOf(ring.settings)).toMatch(/key-encryption|key ring/)
  })
})

describe('while it runs', () => {
  test(
    'a key taken out of the file, or the file: the ring that is known stays in force, and everything is given',
    { timeout: 120_000 },
    async () => {
      await using ring = await ringOf(keys)
      await using server = await startReadyProcess(ring.settings)
      const people = await meet(server.url)
      const refusals = () => server.stdout().split(NOT_READ).length - 1
      const takeAway = [...PURPOSES.map((purpose) => () => ring.write(without(purpose))), ring.remove]
      for (const [done, take] of takeAway.entries()) {
        const prepared = await canary.prepare()
        await take()
        await vi.waitUntil(() => refusals() > done, PATIENCE)
        expect([done, await present(people, prepared)]).toEqual([done, all('right')])
      }
    },
  )

  // Of the pepper no secret is known any more, by the access-token key no token is read, with the key-encryption key nothing opens.
  test.each(['pepper', 'key-encryption', 'access-token'] as const)(
    'another %s key of the same name: no profile is told and nothing is used up; with the right one, everything is given',
    async (purpose) => {
      await using ring = await ringOf(keys)
      await using server = await startReadyProcess(ring.settings)
      const people = await meet(server.url)
      const prepared = await canary.prepare()
      const names = purpose === 'access-token' ? (['authenticate'] as const) : FOUR.filter((name) => opens[purpose].includes(name))
      await ring.write(exchanged(purpose))
      await vi.waitUntil(async () => (await probe(people, purpose)).status >= 400, PATIENCE)
      expect(await present(people, prepared, names)).toEqual(all('refused', names))
      expect(await present(canary.people, prepared)).toEqual(all('right'))
    },
  )
})

const opens = { pepper: [...FOUR] as string[], 'key-encryption': ['inquire', 'profileByQr', 'authenticate'] }

/** Something that can be asked for again and again, and depends on the key. */
async function probe(people: People, purpose: 'pepper' | 'key-encryption' | 'access-token'): Promise<Response> {
  if (purpose === 'access-token') return people.signIn(await canary.people.accessToken())
  return (await canary.prepare()).inquire(people)
}
