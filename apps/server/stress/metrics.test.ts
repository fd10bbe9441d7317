// The metrics of several processes, and what Prometheus itself says about the metrics, rules and alerts.
// It needs promtool: apt-get install prometheus.
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { freePort } from '../src/testing/start-service.ts'
import { locate } from '../test/kit/api-client.ts'
import { readyPids, startReadyProcess } from '../test/kit/server-process.ts'
import { temporaryDatabase } from '../test/kit/temporary-resources.ts'

const OBSERVABILITY = fileURLToPath(new URL('../observability/', import.meta.url))
const REQUESTS = 40
const REFUSED =
  /^tiwala_requests_total\{operation="readPartnerSelf",status="4xx",error="credentials_invalid"\} (\d+)$/m

const promtool = (args: string[], input?: string) => {
  const { status, stdout, stderr } = spawnSync('promtool', args, {
    input,
    encoding: 'utf8',
    cwd: OBSERVABILITY,
  })
  return { status, output: stdout + stderr }
}

test('two processes answer with the sums of both, also after a rolling restart', async () => {
  await using database = await temporaryDatabase()
  const address = `127.0.0.1:${await freePort()}`
  await using server = await startReadyProcess({
    ...database.settings,
    TIWALA_PROCESSES: '2',
    TIWALA_OPERATOR_ADDRESS: address,
    TIWALA_REFUSED_CREDENTIALS_PER_MINUTE: '1000',
    LOG_LEVEL: 'info',
  })
  // Each on a connection of its own, so that both workers get some.
  for (let count = 0; count < REQUESTS; count++)
    await fetch(server.url + locate('readPartnerSelf').path, {
      headers: { 'X-Secret-Code': randomUUID(), 'X-Secret-Token': 'twt_test_wrong', Connection: 'close' },
    })
  const scrape = async () =>
    (await fetch(`http://${address}/metrics`, { headers: { Connection: 'close' } })).text()
  const sums = async () => {
    const texts = await Promise.all(Array.from({ length: 4 }, scrape))
    return texts.map((text) => Number(REFUSED.exec(text)?.[1]))
  }
  await expect.poll(sums).toEqual([REQUESTS, REQUESTS, REQUESTS, REQUESTS])
  expect(promtool(['check', 'metrics'], await scrape())).toEqual({ status: 0, output: '' })

  server.sendSignal('SIGHUP')
  await expect.poll(() => readyPids(server.stdout()).length, { timeout: 300_000 }).toBe(4)
  await expect
    .poll(() => server.stdout().includes('all workers were replaced'), { timeout: 300_000 })
    .toBe(true)
  await expect.poll(sums).toEqual([REQUESTS, REQUESTS, REQUESTS, REQUESTS])
})

test('the rules are correct, and each alert fires when it should', () => {
  expect(promtool(['check', 'rules', 'rules.yaml'])).toMatchObject({ status: 0 })
  const { status, output } = promtool(['test', 'rules', 'rules.test.yaml'])
  expect([status, output]).toEqual([0, expect.stringContaining('SUCCESS')])
})

test('rules and dashboard use only metrics that the service has', async () => {
  const registry = await readFile(new URL('../src/metrics/registry.ts', import.meta.url), 'utf8')
  const known = new Set([...registry.matchAll(/'(tiwala_\w+)'/g)].map(([, name]) => name))
  for (const file of ['rules.yaml', 'dashboard.json']) {
    const text = await readFile(new URL(file, new URL('../observability/', import.meta.url)), 'utf8')
    const used = [...text.matchAll(/\b(tiwala_[a-z_]+?)(?:_bucket|_count|_sum)?\b(?![:\w])/g)].map(
      ([, name]) => name!,
    )
    expect(used.length).toBeGreaterThan(5)
    expect([file, ...used.filter((name) => !known.has(name))]).toEqual([file])
  }
})
