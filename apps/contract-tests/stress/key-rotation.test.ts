// Rotation of all keys at 100 requests a second, which go to a second process beside the
// operator's.
import { setTimeout as sleep } from 'node:timers/promises'
import { startReadyProcess } from '@tiwala/server/testing-process'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { checkService } from '../src/contract-check/traffic.ts'
import { untilSealed, verifyAll } from '../src/kit/audit.ts'
import { startServiceForFile } from '../src/kit/test-service.ts'
import { type Purpose, PURPOSES, createKeyRing } from './key-ring.ts'
import { startTraffic, countingFetch, type Tally } from './open-loop.ts'
import { settingsBeside } from './process-beside.ts'
import { type Traffic, createTraffic } from './rotation-traffic.ts'

const LEAST_PER_SECOND = 95
/** Each journey has three requests on average: 105 a second. */
const JOURNEYS_PER_SECOND = 35
const LEAST_LASTING_MS = 60_000
const TOKEN_LIVES_MS = 8_000
/** Shorter than in production, so that values of an old key expire during the test. */
const LIVES = Object.fromEntries(
  ['QR', 'EXCHANGE_CODE', 'ACCESS_TOKEN'].map((what) => [
    `TIWALA_${what}_TTL_SECONDS`,
    String(TOKEN_LIVES_MS / 1000),
  ]),
)
const POLLING = { timeout: 15_000, interval: 200 }

const service = await startServiceForFile(LIVES)

/** Runs `act` under traffic, and returns the measurements of the traffic. */
async function underTraffic(act: (traffic: Traffic, tally: Tally) => Promise<void>) {
  await using server = await startReadyProcess({ ...LIVES, ...(await settingsBeside(service)) })
  checkService(server.url)
  const tally: Tally = { sent: 0, failures: [], slowestMs: 0, lateMs: 0 }
  const traffic = await createTraffic(service, server.url, countingFetch(tally))
  const driving = startTraffic(traffic.journeys, JOURNEYS_PER_SECOND, tally)
  await act(traffic, tally)
  const perSecond = driving.perSecond()
  await driving.end()
  await vi.waitUntil(
    async () => (await service.countRows("callback_event where status <> 'DELIVERED'"))[0] === 0,
    POLLING,
  )
  await traffic.close()
  return { ...tally, ...traffic, perSecond }
}

test('200: all keys and secrets are replaced under 100 requests a second, and none fails', async () => {
  const { read, exchange } = createKeyRing(service)
  const before = (await read()).filter(({ purpose }) => PURPOSES.includes(purpose as Purpose))
  const measured = await underTraffic(async (traffic, tally) => {
    const beganAtMs = performance.now()
    /** Waits until the old key of each purpose is unused, beyond what `rewrapKeys` does. */
    const UNTIL_UNNEEDED: Record<Purpose, (currentKid: string) => Promise<unknown>> = {
      pepper: traffic.useSandboxPartner,
      'access-token': () => Promise.all([sleep(TOKEN_LIVES_MS), traffic.rotateCredentials()]),
      'key-encryption': async () => {},
      // Twice, because the newest secret and the one before it sign.
      webhook: () => traffic.rotateWebhookSecret().then(traffic.rotateWebhookSecret),
      audit: (currentKid) => vi.waitUntil(async () => (await lastSigner()) === currentKid, POLLING),
    }
    for (const purpose of PURPOSES) {
      await exchange(purpose, UNTIL_UNNEEDED[purpose])
      console.log(
        `${purpose}: exchanged after ${Math.round((performance.now() - beganAtMs) / 1000)} s ` +
          `and ${tally.sent} requests`,
      )
    }
    await sleep(Math.max(0, LEAST_LASTING_MS - (performance.now() - beganAtMs)))
  })
  const { perSecond, sent, failures, slowestMs, lateMs, countEvents, unverified } = measured
  console.log(
    `${perSecond.toFixed(1)} requests a second, ${sent} in all; ` +
      `the slowest took ${Math.round(slowestMs)} ms; ` +
      `journeys began at most ${Math.round(lateMs)} ms late; ${countEvents()} events arrived`,
  )
  expect(failures).toEqual([])
  expect(perSecond).toBeGreaterThanOrEqual(LEAST_PER_SECOND)
  const secrets = new Set((await read()).flatMap(({ k, d }) => [k, d]))
  expect(before.filter(({ k, d }) => secrets.has(k ?? d))).toEqual([])
  expect([unverified, countEvents() > 0]).toEqual([[], true])
  await untilSealed(service.operator)
  expect((await verifyAll(service.operator)).fault).toBeNull()
})

// The service refuses a key ring without a key in use, so another cause.
test('control: revoked credentials cause failures', async () => {
  const { failures } = await underTraffic(async () => {
    await sleep(5_000)
    await sql`update credential set revoked_at = clock_now()`.execute(service.db)
    await sleep(3_000)
  })
  expect(failures.length).toBeGreaterThan(0)
})

/** The key of the newest checkpoint. */
const lastSigner = async () =>
  (await service.operator('listCheckpoints', { query: { limit: 1 } })).body.checkpoints[0]?.kid
