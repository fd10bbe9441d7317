// The primary database dies or vanishes under load, and its standby replaces it.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { onServer } from '../src/testing/database.ts'
import { openNetworkProxy } from '../test/kit/network-proxy.ts'
import { temporaryFolder, temporaryPostgres } from '../test/kit/temporary-resources.ts'
import { findInconsistencies } from './check-consistency.ts'
import { measureRecoveryMs, DEFAULT_TIMEOUTS, startServers } from './servers.ts'
import { promote, startStandby, waitForStandby } from './standby.ts'
import { startTraffic } from './traffic.ts'

const PROCESSES = 3
const SETTINGS = { max_connections: '200' }
const CALM_MS = 3_000
/** The time until the failure is detected. */
const DETECTION_MS = 3_000
const MAX_RECOVERY_MS = 2_000
/** Longer than the longest background statement: by then, its lost connections are closed. */
const FULL_RECOVERY_MS = 30_000

test.each(['dies', 'vanishes'])(
  'the primary %s under load: its synchronous standby has all data, and every process recovers at once',
  async (how) => {
    await using folder = await temporaryFolder()
    await using primary = await temporaryPostgres(SETTINGS)
    await using standby = await startStandby(primary, primary.url, SETTINGS)
    await using network = await openNetworkProxy(primary.url)
    await using servers = await startServers(
      PROCESSES,
      { url: network.url, folder: folder.path },
      DEFAULT_TIMEOUTS,
    )
    await waitForStandby(primary)
    await using traffic = startTraffic(servers)
    await sleep(CALM_MS)
    if (how === 'vanishes') network.blackhole()
    primary.kill()
    await sleep(DETECTION_MS)
    await promote(standby)
    const promotedAtMs = Date.now()
    network.routeTo(standby.url)
    const recoveryMs = await measureRecoveryMs(servers)
    await sleep(CALM_MS)
    await traffic.end()
    const { ledger } = traffic
    console.log(
      `${how}: ${ledger.acknowledged.length} acknowledged;`,
      ledger.responses,
      `back after ${Math.round(recoveryMs)} ms`,
    )
    expect(await findInconsistencies(standby.url, ledger, servers.clients[0]!)).toEqual([])
    expect(servers.died).toEqual([])
    expect(ledger.responses['no response']).toBeUndefined()
    expect(ledger.responses['503 unavailable']).toBeGreaterThan(0)
    expect(recoveryMs).toBeLessThan(MAX_RECOVERY_MS)
    await vi.waitUntil(() => hasFullyRecovered(standby.url, promotedAtMs), {
      timeout: FULL_RECOVERY_MS,
      interval: 200,
    })
    console.log(`${how}: fully recovered ${Date.now() - promotedAtMs} ms after the promotion`)
  },
)

/** Each process listens for notifications, and events since the promotion are delivered. */
async function hasFullyRecovered(url: string, sinceMs: number): Promise<boolean> {
  let hasRecovered = false
  await onServer(url, async (client) => {
    const { rows } = await client.query<{ listening: string; delivered: string }>(
      `select (select count(*) from pg_stat_activity where application_name = 'tiwala-listen') as listening,
              (select count(*) from callback_event
                where status = 'DELIVERED' and delivered_at > to_timestamp($1)) as delivered`,
      [sinceMs / 1_000],
    )
    hasRecovered = Number(rows[0]!.listening) === PROCESSES && Number(rows[0]!.delivered) > 0
  })
  return hasRecovered
}

test('control: the check finds data that an asynchronous standby lost', async () => {
  await using folder = await temporaryFolder()
  await using primary = await temporaryPostgres(SETTINGS)
  await using link = await openNetworkProxy(primary.url)
  await using standby = await startStandby(primary, link.url, SETTINGS)
  await using network = await openNetworkProxy(primary.url)
  await using servers = await startServers(1, { url: network.url, folder: folder.path }, DEFAULT_TIMEOUTS)
  await using traffic = startTraffic(servers)
  await sleep(CALM_MS)
  link.blackhole()
  await sleep(CALM_MS)
  primary.kill()
  await promote(standby)
  network.routeTo(standby.url)
  await measureRecoveryMs(servers)
  await traffic.end()
  expect(await findInconsistencies(standby.url, traffic.ledger, servers.clients[0]!)).toEqual(
    expect.arrayContaining([expect.stringContaining('acknowledged and not ')]),
  )
})
