// OPERATIONS.md says how the service reaches the keys of identity providers through a proxy, and that events
// bypass it. The variables are read by Node at its start, so the test starts a process.
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { first, keys, startProvider } from '../kit/key-set-verifier.ts'

const moduleOf = (path: string) => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href)

const PROGRAM = `
const { createKeySet } = await import(${moduleOf('authentication/key-set.ts')})
const { createSender } = await import(${moduleOf('webhooks/send.ts')})
const keySet = createKeySet({ url: 'http://identity.invalid/jwks.json', keptMs: 60_000 })
await keySet.refreshIfDue()
const { send, close } = createSender({ allowLoopback: true })
const url = process.env.CALLBACK_URL
const sent = await send({ url, headers: {}, body: '{}', signal: new AbortController().signal })
close()
console.log(JSON.stringify([keySet.hasKeys(), sent.status]))
process.exit()
`

test.each([
  [
    'with NODE_USE_ENV_PROXY=1, keys are fetched through the proxy',
    '1',
    [true, 200],
    ['http://identity.invalid/jwks.json'],
  ],
  ['without it, the proxy is not used', '0', [false, 200], []],
])('%s, and events are not sent through it', async (_what, NODE_USE_ENV_PROXY, outcome, proxied) => {
  await using provider = await startProvider(keys(first.jwk))
  const requested: string[] = []
  const proxy = createServer((req, res) => {
    requested.push(req.url!)
    keys(first.jwk)(res, '')
  })
  onTestFinished(() => void proxy.close())
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
  const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    env: { NODE_USE_ENV_PROXY, HTTP_PROXY: proxyUrl, HTTPS_PROXY: proxyUrl, CALLBACK_URL: provider.url },
  })
  expect([JSON.parse(stdout), requested]).toEqual([outcome, proxied])
})
