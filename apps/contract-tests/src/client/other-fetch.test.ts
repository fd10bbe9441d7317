// The option `fetch` takes the implementation of another package, which partners need for a proxy.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { createPartnerClient, createSsoClient, type PartnerClientOptions } from '@tiwala/client'
import { fetch, ProxyAgent } from 'undici'
import { expect, expectTypeOf, onTestFinished, test } from 'vitest'
import { respond, startPeerForFile } from '../kit/scripted-peer.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'
import { UNKNOWN_CREDENTIALS } from '../kit/unknown-credentials.ts'

const service = await startServiceForFile()
const peer = await startPeerForFile()

test('200: the fetch of undici sends method, headers, query and body', async () => {
  const [partner, citizen] = [await service.partner(), await service.citizen()]
  const { secret_code, secret_token, partner_code, partner_secret } = partner.credentials
  const profiles = createPartnerClient({
    baseUrl: service.url,
    secretCode: secret_code,
    secretToken: secret_token,
    fetch,
  })
  const { record } = await profiles.requestAuthorization(await citizen.showQr())
  expect((await profiles.inquire(record.tracking_no)).state).toBe('PENDING')
  const sso = createSsoClient({
    authUrl: service.url,
    partnerCode: partner_code,
    partnerSecret: partner_secret,
    fetch,
  })
  const { uniqid } = await sso.signIn(await citizen.exchangeCode(partner_code))
  expect(uniqid).toBe(citizen.uniqid)
})

test('the fetch of undici follows no redirect, so no other server gets secrets', async () => {
  peer.setScript(respond(307, '', { Location: `${peer.url}/elsewhere` }))
  const profiles = createPartnerClient({ baseUrl: peer.url, ...UNKNOWN_CREDENTIALS, fetch })
  expect((await refusal(profiles.inquire('x'))).message).toContain('A redirect is not followed')
  expect(peer.requests).toHaveLength(1)
})

test('200: the fetch of undici sends its requests through a proxy', async () => {
  const tunnels: string[] = []
  const proxy = createServer().on('connect', ({ url }, socket) => {
    tunnels.push(`http://${url}`)
    const target = connect(Number(new URL(service.url).port), 'localhost', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n')
      target.pipe(socket).pipe(target)
    })
    target.on('error', () => socket.destroy())
    socket.on('error', () => target.destroy())
  })
  await once(proxy.listen(0, 'localhost'), 'listening')
  const uri = `http://localhost:${(proxy.address() as AddressInfo).port}`
  const dispatcher = new ProxyAgent({ uri, proxyTunnel: true })
  onTestFinished(async () => {
    await dispatcher.destroy()
    proxy.close()
  })
  const [{ credentials }, citizen] = [await service.partner(), await service.citizen()]
  const profiles = createPartnerClient({
    baseUrl: service.url,
    secretCode: credentials.secret_code,
    secretToken: credentials.secret_token,
    fetch: (request, init) => fetch(request, { ...init, dispatcher }),
  })
  expect((await profiles.requestAuthorization(await citizen.showQr())).state).toBe('PENDING')
  expect(tunnels).toEqual([service.url])
})

test('a fetch that ignores the signal: the time-out and the signal of the caller end the call', async () => {
  const fetchForever = () => new Promise<never>(() => {})
  const options = { baseUrl: peer.url, ...UNKNOWN_CREDENTIALS, fetch: fetchForever, maxRetries: 0 }
  await expect(createPartnerClient({ ...options, timeoutMs: 20 }).whoAmI()).rejects.toMatchObject({
    code: 'timeout',
  })
  const caller = new AbortController()
  const reason = new Error('The customer has left')
  const call = createPartnerClient({ ...options, onRequest: () => setImmediate(() => caller.abort(reason)) })
  await expect(call.whoAmI({ signal: caller.signal })).rejects.toBe(reason)
})

test('the types take other implementations, and still check a wrapper', () => {
  const good: PartnerClientOptions[] = [
    { fetch },
    { fetch: globalThis.fetch },
    { fetch: async (request: Request) => globalThis.fetch(request) },
    { fetch: (request) => (request.headers.set('traceparent', ''), globalThis.fetch(request)) },
  ]
  const bad: PartnerClientOptions[] = [
    // @ts-expect-error -- a text is no response
    { fetch: async () => 'text' },
    // @ts-expect-error -- misspelled field of the request
    { fetch: (request) => fetch(request.uri) },
  ]
  expectTypeOf<NonNullable<PartnerClientOptions['fetch']>>().not.toBeAny()
  expectTypeOf<Parameters<NonNullable<PartnerClientOptions['fetch']>>[0]>().not.toBeAny()
  expect([good, bad]).toHaveLength(2)
})
