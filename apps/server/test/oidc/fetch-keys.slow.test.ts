// The addresses from which the keys of partners are read, and how long a read takes.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { createFetchKeys } from '../../src/oidc/fetch-keys.ts'
import { forbiddenUrls } from '../webhooks/forbidden-urls.ts'

let connections = 0
const server = createServer(() => {}).on('connection', () => connections++)
await once(server.listen(0, '127.0.0.1'), 'listening')
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
const { port } = server.address() as AddressInfo
test.each(forbiddenUrls(port).flatMap(([, urls]) => urls))('no connection to %s', async (url) => {
  const before = connections
  const fetchKeys = createFetchKeys({ allowLoopback: false })
  const outcome = await fetchKeys(url).catch((error: Error) => error)
  expect(outcome).toBeInstanceOf(Error)
  expect(connections).toBe(before)
})

test('after a failed fetch, the server is left alone for 10 s at most', async () => {
  const paths: string[] = []
  const failing = createServer((req, res) => {
    paths.push(req.url!)
    res.writeHead(500).end()
  })
  await once(failing.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void failing.close())
  const fetchKeys = createFetchKeys({ allowLoopback: true })
  const url = `http://127.0.0.1:${(failing.address() as AddressInfo).port}`
  await expect(fetchKeys(`${url}/a`)).rejects.toThrow('status 500')
  for (let count = 0; count < 3; count++) await expect(fetchKeys(`${url}/a`)).rejects.toThrow('a moment ago')
  await expect(fetchKeys(`${url}/b`)).rejects.toThrow('status 500')
  const later = performance.now() + 10_000
  vi.spyOn(performance, 'now').mockReturnValue(later)
  onTestFinished(() => void vi.restoreAllMocks())
  await expect(fetchKeys(`${url}/a`)).rejects.toThrow('status 500')
  expect(paths).toEqual(['/a', '/b', '/a'])
})

test('a server that never answers is left after 2.5 s', async () => {
  const fetchKeys = createFetchKeys({ allowLoopback: true })
  const url = `http://127.0.0.1:${port}/`
  await expect(fetchKeys(url)).rejects.toThrow(/abort|timeout|terminated/i)
})

test('a server that never ends its response is left, too', async () => {
  const slow = createServer((_req, res) => void res.write('{'))
  await once(slow.listen(0, '127.0.0.1'), 'listening')
  try {
    const fetchKeys = createFetchKeys({ allowLoopback: true })
    const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`
    await expect(fetchKeys(url)).rejects.toThrow('aborted')
  } finally {
    slow.closeAllConnections()
    slow.close()
  }
})
