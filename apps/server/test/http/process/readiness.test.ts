// `/readyz` says which dependency is away, but only to operators and to programs on this machine.
import { once } from 'node:events'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import express from 'express'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import manifest from '../../../../../package.json' with { type: 'json' }
import { documents } from '../../../src/contract/documents.ts'
import { health, type Readiness } from '../../../src/http/process/health.ts'
import { freePort, startService, type TestService } from '../../../src/testing/start-service.ts'
import { sendRaw } from '../../kit/raw-http.ts'

let service: TestService
let operatorOrigin: string
beforeAll(async () => {
  const address = `127.0.0.1:${await freePort()}`
  operatorOrigin = `http://${address}`
  service = await startService(inject('postgres'), {
    TIWALA_OPERATOR_ADDRESS: address,
    TIWALA_TRUSTED_PROXIES: '127.0.0.1',
    TIWALA_CITIZEN_ISSUER: 'http://127.0.0.1:9',
    TIWALA_CITIZEN_JWKS_URL: 'http://127.0.0.1:9/jwks.json',
  })
})
afterAll(() => service.close())

/** The response that a client gets through a proxy on this machine. `fetch` could not set these headers. */
function askAsClient(headers: Record<string, string>): Promise<unknown> {
  return new Promise((resolve, reject) =>
    get(`${service.url}/readyz`, { headers }, (response) => resolve(json(response))).on('error', reject),
  )
}

test('this machine and operators learn what is away and which version runs; others do not', async () => {
  const details = {
    status: 'ok',
    draining: false,
    database: 'ok',
    citizen_identity: 'unavailable',
    operator_identity: 'ok',
    versions: {
      service: manifest.version,
      contract: documents.operator.info.version,
      schema: expect.stringMatching(/^\d{4}_\w+$/),
    },
  }
  const bodyOf = async (origin: string) => (await (await fetch(`${origin}/readyz`)).json()) as object
  expect(await bodyOf(service.url)).toEqual(details)
  expect(await bodyOf(operatorOrigin)).toEqual(details)
  for (const headers of [
    { 'X-Forwarded-For': '203.0.113.7' },
    { Forwarded: 'for=203.0.113.7' },
    { Via: '1.1 proxy' },
    { 'X-Forwarded-Proto': 'https' },
    { 'X-Forwarded-Host': 'tiwala.example' },
    { 'X-Real-IP': '203.0.113.7' },
    { 'CF-Connecting-IP': '203.0.113.7' },
    { Host: 'tiwala.example' },
  ])
    expect(await askAsClient(headers as unknown as Record<string, string>)).toEqual({ status: 'ok' })
})

test('a proxy that adds no header, and speaks HTTP/1.0, as nginx does by default, learns the state alone', async () => {
  const { port } = new URL(service.url)
  const { response } = await sendRaw(service.url, `GET /readyz HTTP/1.0\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
  expect(response?.body).toBe('{"status":"ok"}')
})

test.each([
  ['live', true, false],
  ['live', false, true],
  ['sandbox', true, true],
  ['sandbox', false, true],
] as const)(
  '%s, public address: %s: details for this machine: %s',
  async (environment, hasPages, hasDetails) => {
    const readiness = async () => ({ ready: true, database: 'ok' }) as Readiness
    const server = express()
      .use(health(readiness, { hasPages }, { environment }))
      .listen(0, '127.0.0.1')
    await once(server, 'listening')
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const body: unknown = await (await fetch(`${origin}/readyz`)).json()
    server.close()
    expect(body).toEqual(hasDetails ? { status: 'ok', database: 'ok' } : { status: 'ok' })
  },
)

test('503: a lost database is named', async () => {
  await service.loseDatabase()
  await expect
    .poll(async () => (await fetch(`${operatorOrigin}/readyz`)).json(), { timeout: 60_000 })
    .toMatchObject({ status: 'unavailable', database: 'unavailable' })
  expect(await askAsClient({ 'X-Forwarded-For': '203.0.113.7' })).toEqual({ status: 'unavailable' })
})
