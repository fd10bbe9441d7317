// The metrics of processes that share a port, and what Prometheus itself says about the metrics, rules and alerts.
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { locate } from '@tiwala/kit/operations'
import { expect, test } from 'vitest'
import { freePort } from '../src/testing/start-service.ts'
import { startReadyProcess } from '../test/kit/server-process.ts'
import { temporaryDatabase } from '../test/kit/temporary-resources.ts'

const OBSERVABILITY = fileURLToPath(new URL('../observability/', import.meta.url))
const REQUESTS = 40
const REFUSED =
  /^tiwala_requests_total\{operation="readPartnerSelf",status="4xx",error="credentials_invalid"\} (\d+)$/m

const promtool = (args: string[], input?: string) => {
  const { error, status, stdout, stderr } = spawnSync('promtool', args, {
    input,
    encoding: 'utf8',
    cwd: OBSERVABILITY,
  })
  if (error) throw error
  return { status, output: stdout + stderr }
}

test('each of two processes on one port answers for itself', async () => {
  await using database = await temporaryDatabase()
  const addresses = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`]
  const settings = {
    ...database.settings,
    PORT: String(await freePort()),
    TIWALA_REUSE_PORT: 'true',
    TIWALA_REFUSED_CREDENTIALS_PER_MINUTE: '1000',
  }
  const [server] = await Promise.all(
    addresses.map((address) => startReadyProcess({ ...settings, TIWALA_OPERATOR_ADDRESS: address })),
  )
  // Each on a connection of its own, so that both processes get some.
  for (let count = 0; count < REQUESTS; count++)
    await fetch(server!.url + locate('readPartnerSelf').path, {
      headers: { 'X-Secret-Code': randomUUID(), 'X-Secret-Token': 'twt_test_wrong', Connection: 'close' },
    })
  const scrape = async (address: string) => (await fetch(`http://${address}/metrics`)).text()
  const counts = (await Promise.all(addresses.map(scrape))).map((text) => Number(REFUSED.exec(text)?.[1]))
  expect(Math.min(...counts)).toBeGreaterThan(0)
  expect(counts[0]! + counts[1]!).toBe(REQUESTS)
  expect(promtool(['check', 'metrics'], await scrape(addresses[0]!))).toEqual({ status: 0, output: '' })
})

test('the rules are correct, and each alert fires when it should', () => {
  expect(promtool(['check', 'rules', 'rules.yaml'])).toMatchObject({ status: 0 })
  const { status, output } = promtool(['test', 'rules', 'rules.test.yaml'])
  expect([status, output]).toEqual([0, expect.stringContaining('SUCCESS')])
})
