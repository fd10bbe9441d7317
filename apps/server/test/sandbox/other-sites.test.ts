// A web page of another site can neither use the sandbox through its visitor nor give itself the name of it.
import { expect, inject, onTestFinished, test } from 'vitest'
import { startService } from '../../src/testing/start-service.ts'
import { startServiceForFile } from '../kit/api-client.ts'
import { requestText, sendRaw } from '../kit/raw-http.ts'

const { service } = await startServiceForFile()
const { host, port } = new URL(service.url)

const send = async (method: string, path: string, headers: Record<string, string>) => {
  const { response } = await sendRaw(service.url, requestText(method, path, { Host: host, ...headers }))
  return [response?.status, (JSON.parse(response?.body || '{}') as { error?: string }).error]
}

test.each([
  `evil.example:${port}`,
  'evil.example',
  `127.0.0.1.evil.example:${port}`,
  'a.localhost.example',
  'localhost%2eexample',
])('404: by the name %s', async (Host) => {
  expect(await send('GET', '/sandbox/bootstrap.json', { Host })).toEqual([404, 'not_found'])
  expect(await send('POST', '/sandbox', { Host, Origin: `http://${Host}` })).toEqual([404, 'not_found'])
})

test.each([`127.0.0.1:${port}`, `[::1]:${port}`, '192.0.2.7', `tiwala:${port}`, `sandbox.localhost:${port}`])(
  '200: by the name %s',
  async (Host) => {
    expect(await send('GET', '/sandbox/bootstrap.json', { Host })).toEqual([200, undefined])
  },
)

test('200: by the public name in any case, with or without the usual port', async () => {
  const open = await startService(inject('postgres'), { TIWALA_PUBLIC_URL: 'https://sandbox.example' })
  onTestFinished(() => open.close())
  const url = `http://127.0.0.1:${open.config.listeners[0]!.port}`
  const statusOf = async (method: string, path: string, headers: Record<string, string>) =>
    (await sendRaw(url, requestText(method, path, headers))).response?.status
  for (const Host of ['sandbox.example', 'Sandbox.Example', 'sandbox.example:443']) {
    expect(await statusOf('GET', '/sandbox/bootstrap.json', { Host })).toBe(200)
    const fromOwnPage = { Host, Origin: 'https://sandbox.example' }
    expect(await statusOf('POST', '/sandbox', fromOwnPage)).toBe(201)
  }
  for (const Host of ['sandbox.example:80', 'sandbox.example.evil.example'])
    expect(await statusOf('GET', '/sandbox/bootstrap.json', { Host })).toBe(404)
})

test.each(['https://evil.example', 'null', `http://localhost:${Number(port) + 1}`])(
  '403: from a page of %s',
  async (Origin) => {
    expect(await send('POST', '/sandbox', { Origin })).toEqual([403, 'browser_use_forbidden'])
    expect(await send('POST', '/sandbox/clock', { Origin })).toEqual([403, 'browser_use_forbidden'])
  },
)

test('201: from its own page behind a proxy that replaces the host', async () => {
  const headers = { Host: `127.0.0.1:${port}`, Origin: service.url }
  expect(await send('POST', '/sandbox', headers)).toEqual([201, undefined])
})

test('201: from its own page, and from a program', async () => {
  expect(await send('POST', '/sandbox', { Origin: service.url })).toEqual([201, undefined])
  expect(await send('POST', '/sandbox', {})).toEqual([201, undefined])
})
