// An operator follows "Back up and restore under Patroni" (`OPERATIONS.md`): a base backup under load, then both
// servers stop, and the database is restored as it was at a time after it. `machine.ts` lists what is replaced.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { findInconsistencies } from '../stress/check-consistency.ts'
import { readNow } from '../stress/read-now.ts'
import { startServers } from '../stress/servers.ts'
import { startTraffic } from '../stress/traffic.ts'
import { temporaryFolder } from '../test/kit/temporary-resources.ts'
import { startPatroniCluster } from './patroni-cluster.ts'

const CALM_MS = 3_000

async function readSettings(url: string): Promise<Record<string, string>> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name = any($1)`,
    [['archive_mode', 'max_connections', 'restore_command']],
  )
  await client.end()
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
}

test('a restore under Patroni has every acknowledged action, and nothing after its time', async () => {
  await using folder = await temporaryFolder()
  await using keys = await temporaryFolder()
  await using cluster = await startPatroniCluster(folder.path)
  await cluster.waitForSynchronousStandby()
  await cluster.archive()
  await cluster.waitForSynchronousStandby()
  const settings = await readSettings(cluster.url)
  expect(settings).toMatchObject({ archive_mode: 'on', max_connections: '200' })

  await using servers = await startServers(1, { url: cluster.url, folder: keys.path })
  const [api] = servers.clients
  const traffic = startTraffic(servers)
  await sleep(CALM_MS)
  await cluster.backUp()
  await sleep(CALM_MS)
  await traffic.end()
  const before = await readNow(cluster.url)
  const trackingNo = await api!.createPendingRecord()

  await servers.kill(0)
  const startedAtMs = performance.now()
  await cluster.restore(before)
  console.log(`restored in ${((performance.now() - startedAtMs) / 1_000).toFixed(1)} s`)
  expect(await cluster.list()).toMatch(/(?=[^]* Leader )[^]* Sync Standby /)
  expect(await readSettings(cluster.url)).toEqual(settings)
  await servers.restart(0)
  expect((await api!.inquire(trackingNo)).status).toBe(404)
  expect(await findInconsistencies(cluster.url, traffic.ledger, api!)).toEqual([])
  console.log(`${traffic.ledger.acknowledged.length} acknowledged actions were there after the restore`)
})
