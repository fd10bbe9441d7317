// The data of a stopped database are deleted, and pgBackRest restores them: everything, and then as it was at
// an earlier time. The full and the incremental backup are made under load.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { findInconsistencies } from '../stress/check-consistency.ts'
import { readNow } from '../stress/read-now.ts'
import { startServers } from '../stress/servers.ts'
import { startTraffic } from '../stress/traffic.ts'
import { temporaryFolder } from '../test/kit/temporary-resources.ts'
import { startBackedUpPostgres } from './backed-up-postgres.ts'

const CALM_MS = 2_000

test('pgBackRest restores every acknowledged action, and the state of an earlier time', async () => {
  await using folder = await temporaryFolder()
  await using keys = await temporaryFolder()
  await using postgres = await startBackedUpPostgres(folder.path)
  await using servers = await startServers(1, { url: postgres.url, folder: keys.path })
  const [api] = servers.clients
  const traffic = startTraffic(servers)
  await sleep(CALM_MS)
  await postgres.backUp('full')
  await sleep(CALM_MS)
  await postgres.backUp('incr')
  await sleep(CALM_MS)
  await traffic.end()
  const before = await readNow(postgres.url)
  const trackingNo = await api!.createPendingRecord()

  for (const [what, time, status] of [
    ['everything', undefined, 200],
    ['an earlier time', before, 404],
  ] as const) {
    await servers.kill(0)
    const startedAtMs = performance.now()
    await postgres.deleteAndRestore(time)
    console.log(`${what}: restored in ${((performance.now() - startedAtMs) / 1_000).toFixed(1)} s`)
    await servers.restart(0)
    expect((await api!.inquire(trackingNo)).status).toBe(status)
    expect(await findInconsistencies(postgres.url, traffic.ledger, api!)).toEqual([])
  }
  console.log(`${traffic.ledger.acknowledged.length} acknowledged actions were there after both restores`)

  const unusedCode = await api!.issueExchangeCode()
  expect((await api!.send('completeRestore', { headers: api!.asOperator })).status).toBe(200)
  expect((await api!.redeemExchangeCode(unusedCode)).status).toBe(422)
})
