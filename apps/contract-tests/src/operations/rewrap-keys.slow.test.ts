import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mintKey, PURPOSES, type RingKey } from '@tiwala/server/testing'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startServiceForFile } from '../kit/test-service.ts'

/** The highest rate. A slow machine sends fewer requests. */
const PER_SECOND = 100

const service = await startServiceForFile({ TIWALA_ACCESS_TOKEN_TTL_SECONDS: '300' })

const file = () => join(service.config.dataDir, 'keys.json')
const readRing = async () => (JSON.parse(await readFile(file(), 'utf8')) as { keys: RingKey[] }).keys
const writeRing = (keys: RingKey[]) => writeFile(file(), JSON.stringify({ keys }))
const listed = async () => (await service.operator('listKeys', {})).body.keys
const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 1000))

async function rewrapAll() {
  let moved = 0
  for (let remaining = 1; remaining > 0;) {
    const { body } = await service.operator('rewrapKeys', { body: { limit: 20 } })
    moved += body.moved
    remaining = body.remaining
  }
  return moved
}

/** Sends 100 requests a second of four kinds until `end` is called, which returns the failures. */
async function startTraffic() {
  const partner = await service.partner()
  const citizens = await Promise.all(Array.from({ length: 10 }, () => service.citizen()))
  const failures: unknown[] = []
  let calls = 0
  let isEnding = false
  const journeys = [
    async (citizen: (typeof citizens)[number]) => {
      const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
      await citizen.accept(record.tracking_no)
      expect((await partner.profiles.inquire(record.tracking_no)).record.response?.uniqid).toBe(
        citizen.uniqid,
      )
      return 4
    },
    async (citizen: (typeof citizens)[number]) => {
      const { record } = await partner.profiles.profileByQr(await citizen.showQr('share'))
      expect(record.response.uniqid).toBe(citizen.uniqid)
      return 2
    },
    async (citizen: (typeof citizens)[number]) => {
      const accessToken = await partner.sso.generateToken(await citizen.exchangeCode(partner.code))
      expect((await partner.sso.authenticate(accessToken)).uniqid).toBe(citizen.uniqid)
      return 3
    },
    async ({ uniqid, profile }: (typeof citizens)[number]) => {
      await service.operator('upsertCitizen', { path: { uniqid }, body: { profile, passport: null } })
      return 1
    },
  ]
  const running = (async () => {
    const startedAtMs = performance.now()
    const inFlight = new Set<Promise<void>>()
    for (let turn = 0; !isEnding; turn++) {
      const journey = journeys[turn % journeys.length]!
      const done = journey(citizens[turn % citizens.length]!)
        .then(
          (created) => void (calls += created),
          (error: unknown) => void failures.push(error),
        )
        .finally(() => inFlight.delete(done))
      inFlight.add(done)
      const dueMs = startedAtMs + ((turn + 1) * 2.5 * 1000) / PER_SECOND
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())))
    }
    await Promise.all(inFlight)
  })()
  return {
    end: async () => {
      isEnding = true
      await running
      return { failures, calls }
    },
  }
}

describe('rewrapKeys', () => {
  test('200: every key is replaced under traffic, old keys are removed, and no request fails', async () => {
    const old = await readRing()
    const traffic = await startTraffic()
    const activeFrom = new Date(Date.now() + 1_500)
    await writeRing([...old, ...PURPOSES.map((purpose) => mintKey(purpose, activeFrom))])
    await seconds(3)
    expect(
      (await listed())
        .filter(({ is_current, active_from }) => is_current && active_from !== null)
        .map(({ purpose }) => purpose)
        .toSorted(),
    ).toEqual(PURPOSES.toSorted())
    const counts = async () => (await service.operator('listKeys', {})).body
    const before = await counts()
    expect(before.remaining).toBeGreaterThanOrEqual(10)
    expect(before.citizens).toBeGreaterThanOrEqual(before.remaining)
    expect(await rewrapAll()).toBeGreaterThanOrEqual(10)
    expect(await counts()).toMatchObject({ citizens: before.citizens, remaining: 0 })
    const wrapping = (await listed()).filter(({ purpose }) => purpose === 'key-encryption')
    expect(wrapping.map(({ is_current, in_use }) => [is_current, in_use! > 0])).toEqual([
      [true, true],
      [false, false],
    ])
    await writeRing(
      (await readRing()).filter(
        ({ kid, purpose }) => purpose !== 'key-encryption' || kid === wrapping[0]!.kid,
      ),
    )
    await seconds(1.5)
    const { failures, calls } = await traffic.end()
    expect(failures).toEqual([])
    expect(calls).toBeGreaterThan(100)
  })

  test('200: a citizen whose key is damaged does not stop the others', async () => {
    for (let count = 0; count < 3; count++) await service.citizen()
    await sql`
      update citizen set data_key = split_part(data_key, '.', 1) || '.damaged'
       where id = (select id from citizen where data_key is not null order by id desc offset 1 limit 1)`.execute(
      service.db,
    )
    await writeRing([...(await readRing()), mintKey('pepper', new Date())])
    await expect.poll(async () => (await service.operator('listKeys', {})).body.remaining).toBeGreaterThan(2)
    const move = async () => (await service.operator('rewrapKeys', { body: { limit: 1 } })).body
    for (let left = 1000; left > 0 && (await move()).moved === 1; left--);
    expect(await move()).toMatchObject({ moved: 0, remaining: 1 })
  })

  test('200: a key ring that cannot be parsed is ignored', async () => {
    const kept = await readRing()
    await writeFile(file(), '{"keys": [')
    await seconds(1.5)
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    expect((await partner.profiles.requestAuthorization(await citizen.showQr())).state).toBe('PENDING')
    await writeRing(kept)
  })
})
