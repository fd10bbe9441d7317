// The primary dies or vanishes under load, and its standby takes its place.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { onServer } from '../src/testing/database.ts'
import { openNetwork } from '../test/kit/network-proxy.ts'
import { temporaryFolder, temporaryPostgres } from '../test/kit/temporary-resources.ts'
import { faultsOf } from './check-consistency.ts'
import { backAfterMs, IMPATIENT, startServers } from './servers.ts'
import { promote, startStandby, waitForStandby } from './standby.ts'
import { beginTraffic } from './traffic.ts'

const PROCESSES = 3
const SETTINGS = { max_connections: '200' }
const PEACE_MS = 3_000
/** Until it is known to be dead. */
const UNNOTICED_MS = 3_000
const BACK_WITHIN_MS = 2_000
/** Longer than the longest statement of the work that nobody waits for: by then its connections are known to be dead. */
const WHOLE_WITHIN_MS = 30_000

test.each(['dies', 'vanishes'])(
  'the primary %s under load: its synchronous standby has everything, and all are back at once',
  async (how) => {
    await using folder = await temporaryFolder()
    await using primary = await temporaryPostgres(SETTINGS)
    await using standby = await startStandby(primary, primary.url, SETTINGS)
    await using network = await openNetwork(primary.url)
    await using servers = await startServers(PROCESSES, { url: network.url, folder: folder.path }, IMPATIENT)
    await waitForStandby(primary)
    await using traffic = beginTraffic(servers)
    await sleep(PEACE_MS)
    if (how === 'vanishes') network.silence()
    primary.kill()
    await sleep(UNNOTICED_MS)
    await promote(standby)
    const promotedAtMs = Date.now()
    network.lead(standby.url)
    const backMs = await backAfterMs(servers)
    await sleep(PEACE_MS)
    await traffic.end()
    const { ledger } = traffic
    console.log(`${how}: ${ledger.acknowledged.length} acknowledged;`, ledger.answers, `back after ${Math.round(backMs)} ms`)
    expect(await faultsOf(standby.url, ledger, servers.people[0]!)).toEqual([])
    expect(servers.died).toEqual([])
    expect(ledger.answers['no answer']).toBeUndefined()
    expect(ledger.answers['503 unavailable']).toBeGreaterThan(0)
    expect(backMs).toBeLessThan(BACK_WITHIN_MS)
    await vi.waitUntil(() => isWholeAgain(standby.url, promotedAtMs), { timeout: WHOLE_WITHIN_MS, interval: 200 })
    console.log(`${how}: whole again ${Date.now() - promotedAtMs} ms after the promotion`)
  },
)

/** Each process hears of what happens in the others, and what partners are to be told since the promotion is delivered. */
async function isWholeAgain(url: string, sinceMs: number): Promise<boolean> {
  let isSo = false
  await onServer(url, async (client) => {
    const { rows } = await client.query<{ hearing: string; delivered: string }>(
      `select (select count(*) from pg_stat_activity where application_name = 'tiwala-listen') as hearing,
              (select count(*) from callback_event where status = 'DELIVERED' and delivered_at > to_timestamp($1)) as delivered`,
      [sinceMs / 1_000],
    )
    isSo = Number(rows[0]!.hearing) === PROCESSES && Number(rows[0]!.delivered) > 0
  })
  return isSo
}

test('control: what a standby that nobody waited for has missed is lost, and it is noticed', async () => {
  await using folder = await temporaryFolder()
  await using primary = await temporaryPostgres(SETTINGS)
  await using link = await openNetwork(primary.url)
  await using standby = await startStandby(primary, link.url, SETTINGS)
  await using network = await openNetwork(primary.url)
  await using servers = await startServers(1, { url: network.url, folder: folder.path }, IMPATIENT)
  await using traffic = beginTraffic(servers)
  await sleep(PEACE_MS)
  link.silence()
  await sleep(PEACE_MS)
  primary.kill()
  await promote(standby)
  network.lead(standby.url)
  await backAfterMs(servers)
  await traffic.end()
  expect(await faultsOf(standby.url, traffic.ledger, servers.people[0]!)).toEqual(
    expect.arrayContaining([expect.stringContaining('acknowledged and not there')]),
  )
})
