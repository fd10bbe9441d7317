// An operator follows "High availability" (`OPERATIONS.md`): the page's commands make the cluster, and then,
// under load, switch the primary over and end its machine. The other server takes over, no acknowledged write
// is lost, and every process of Tiwala goes on by itself. `machine.ts` lists what is replaced.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { findInconsistencies } from '../stress/check-consistency.ts'
import { DEFAULT_TIMEOUTS, measureRecoveryMs, type Servers, startServers } from '../stress/servers.ts'
import { startTraffic } from '../stress/traffic.ts'
import { temporaryFolder } from '../test/kit/temporary-resources.ts'
import { startPatroniCluster } from './patroni-cluster.ts'

const PROCESSES = 2
const CALM_MS = 3_000
/** From the moment when PostgreSQL accepts writes. HAProxy needs up to 0.5 s of it to notice. */
const MAX_RECOVERY_MS = 2_000
const PROBE_MS = 20

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`

/** The longest time without a successful request, in any process. */
function measureOutage({ clients }: Servers) {
  let [isEnding, longestMs] = [false, 0]
  const probe = async (api: Servers['clients'][number]) => {
    let succeededAtMs = performance.now()
    for (; !isEnding; await sleep(PROBE_MS)) {
      const request = api.send('issueQrCode', { headers: api.asCitizen, json: { purpose: 'share' } })
      const hasSucceeded = await request.then(
        ({ ok }) => ok,
        () => false,
      )
      if (!hasSucceeded) continue
      longestMs = Math.max(longestMs, performance.now() - succeededAtMs)
      succeededAtMs = performance.now()
    }
  }
  const running = Promise.all(clients.map(probe))
  const end = async () => {
    isEnding = true
    await running
    return longestMs
  }
  return { end, [Symbol.asyncDispose]: async () => void (await end()) }
}

test('the page makes a cluster; a switchover and a power failure lose no acknowledged write', async () => {
  await using folder = await temporaryFolder()
  await using keys = await temporaryFolder()
  await using cluster = await startPatroniCluster(folder.path)
  await cluster.waitForSynchronousStandby()
  const database = { url: cluster.url, folder: keys.path }
  await using servers = await startServers(PROCESSES, database, DEFAULT_TIMEOUTS)
  await using traffic = startTraffic(servers)
  await sleep(CALM_MS)

  const recoveries: number[] = []
  for (const [what, replace] of [
    ['switchover', cluster.switchOver],
    ['power failure', cluster.powerOff],
  ] as const) {
    await cluster.waitForSynchronousStandby()
    expect(await cluster.list()).toMatch(/(?=[^]* Leader )[^]* Sync Standby /)
    await using outage = measureOutage(servers)
    const previous = await cluster.waitForPrimary()
    const startedAtMs = performance.now()
    const recover = async () => {
      await cluster.waitForPrimary(previous)
      return [performance.now() - startedAtMs, await measureRecoveryMs(servers)] as const
    }
    const [[replacedMs, recoveryMs]] = await Promise.all([recover(), replace(previous)])
    recoveries.push(recoveryMs)
    await sleep(CALM_MS)
    console.log(
      `${what}: new primary after ${seconds(replacedMs)}, every process back ${seconds(recoveryMs)} later; ` +
        `no success for ${seconds(await outage.end())}`,
    )
    if (what === 'power failure') previous.boot()
  }
  await cluster.waitForSynchronousStandby()
  await cluster.copyData()
  await traffic.end()

  const { ledger } = traffic
  console.log(`${ledger.acknowledged.length} acknowledged actions;`, ledger.responses)
  expect(await findInconsistencies(cluster.url, ledger, servers.clients[0]!)).toEqual([])
  expect(servers.died).toEqual([])
  expect(ledger.responses['no response']).toBeUndefined()
  expect(ledger.responses['503 unavailable']).toBeGreaterThan(0)
  expect(Math.max(...recoveries)).toBeLessThan(MAX_RECOVERY_MS)
})
