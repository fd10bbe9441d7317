// How the server reads from an identity provider at which browsers sign in.
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fetchProvider } from '../../../src/http/sign-in/fetch-provider.ts'
import { discover } from '../../../src/http/sign-in/identity-provider.ts'

async function startServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a form goes out with its length, and status, headers and body come back', async () => {
  let received = ''
  const url = await startServer((req, res) => {
    void (async () => {
      for await (const chunk of req) received += String(chunk)
      received += ` ${req.method} ${req.headers['content-length']} ${String(req.headers['x-test'])}`
      res.writeHead(400, { 'X-Two': ['a', 'b'], 'Content-Type': 'application/json' }).end('{"error":"x"}')
    })()
  })
  const form = { method: 'POST', headers: { 'X-Test': 't' }, body: new URLSearchParams({ code: 'a b' }) }
  const response = await fetchProvider(url, form)
  expect(received).toBe('code=a+b POST 8 t')
  expect([response.status, response.headers.get('x-two'), await response.json()]).toEqual([
    400,
    'a, b',
    { error: 'x' },
  ])
})

test('a redirect is not followed, and a response without a body is read', async () => {
  const url = await startServer((_req, res) => void res.writeHead(302, { Location: '/elsewhere' }).end())
  expect((await fetchProvider(url, {})).status).toBe(302)
  const empty = await startServer((_req, res) => void res.writeHead(204).end())
  expect((await fetchProvider(empty, {})).status).toBe(204)
})

test('a discovery document is not read by the platform, which uses shared threads, and not beyond 256 KiB', async () => {
  const platform = vi.spyOn(globalThis, 'fetch')
  onTestFinished(() => void vi.restoreAllMocks())
  let padding = ''
  const issuer = await startServer((_req, res) => {
    res.writeHead(200, { 'Content-Type': 'application/json' })
    res.end(JSON.stringify({ issuer, token_endpoint: `${issuer}/token`, padding }))
  })
  const settings = { issuer, clientId: 'tiwala', clientSecret: undefined }
  expect((await discover(settings)).serverMetadata().issuer).toBe(issuer)
  padding = ' '.repeat(256 * 1024)
  await expect(discover(settings)).rejects.toMatchObject({
    cause: { message: expect.stringContaining('more than') },
  })
  expect(platform).not.toHaveBeenCalled()
})
