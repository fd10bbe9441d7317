// W3C Trace Context: a request continues the trace of its caller, up to the events that it causes.
import { randomBytes } from 'node:crypto'
import { createPartnerClient } from '@tiwala/client'
import { expect, test } from 'vitest'
import { startServiceForFile } from '../kit/test-service.ts'
import type { Citizen } from '../kit/users.ts'
import { partnerWithReceiver, respondWith, untilReceived } from '../kit/webhook-receiver.ts'

const service = await startServiceForFile()

const newTraceId = () => randomBytes(16).toString('hex')
const fromCaller = (traceId: string, flags = '01') => `00-${traceId}-00f067aa0ba902b7-${flags}`
const OURS = /^00-([0-9a-f]{32})-(?!00f067aa0ba902b7)[0-9a-f]{16}-0[01]$/
const traceIdOf = (traceparent: string | null | undefined) => OURS.exec(traceparent ?? '')?.[1]

const asCitizen = ({ token }: Citizen) => ({ Authorization: `Bearer ${token}` })

test.each([
  ['200', (headers: object) => headers],
  ['401', () => ({ 'X-Secret-Code': 'twc_00000000000000000000', 'X-Secret-Token': 'wrong' })],
])('%s: the response continues the trace of the caller with a new span', async (status, credentials) => {
  const { headers } = await service.partner()
  const traceId = newTraceId()
  const send = async () => {
    const sent = { ...credentials(headers), traceparent: fromCaller(traceId) }
    const response = await service.send('readPartnerSelf', { headers: sent })
    expect(String(response.status)).toBe(status)
    return response.headers.get('traceparent')
  }
  const [first, second] = [await send(), await send()]
  expect([traceIdOf(first), traceIdOf(second)]).toEqual([traceId, traceId])
  expect(first).not.toBe(second)
})

test('200: without a valid traceparent a new trace begins', async () => {
  const { headers } = await service.partner()
  const known = newTraceId()
  const invalid = [{}, { traceparent: '' }, { traceparent: `${fromCaller(known)}x` }, { tracestate: 'a=b' }]
  const ids = await Promise.all(
    invalid.map(async (sent) => {
      const response = await service.send('readPartnerSelf', { headers: { ...headers, ...sent } })
      expect([response.status, response.headers.get('tracestate')]).toEqual([200, null])
      return traceIdOf(response.headers.get('traceparent'))
    }),
  )
  expect(ids).not.toContain(undefined)
  expect(new Set([...ids, known]).size).toBe(invalid.length + 1)
})

test('200: the client passes a trace on through its option fetch', async () => {
  const { credentials } = await service.partner()
  const traceId = newTraceId()
  const returned: (string | null)[] = []
  const client = createPartnerClient({
    baseUrl: service.url,
    secretCode: credentials.secret_code,
    secretToken: credentials.secret_token,
    fetch: async (request) => {
      request.headers.set('traceparent', fromCaller(traceId))
      const response = await fetch(request)
      returned.push(response.headers.get('traceparent'))
      return response
    },
  })
  await client.whoAmI()
  expect(returned.map(traceIdOf)).toEqual([traceId])
})

test('200: an event has the trace of the request that caused it, on every attempt', async () => {
  const { receiver, partner, citizen } = await partnerWithReceiver(service, respondWith(503))
  const traces: Record<string, string | null> = {}
  /** Sends a request with its own trace, and stores the `traceparent` of the response. */
  const cause = async (type: string, ...[id, init]: Parameters<typeof service.send>) => {
    const headers = { ...(init!.headers as object), traceparent: fromCaller(newTraceId()) }
    const response = await service.send(id, { ...init, headers })
    expect(response.status).toBe(200)
    traces[type] = response.headers.get('traceparent')
  }
  const ask = async () => ({
    tracking_no: (await partner.profiles.requestAuthorization(await citizen.showQr())).record.tracking_no,
  })
  const [revoked, declined, cancelled] = [await ask(), await ask(), await ask()]
  const byCitizen = { headers: asCitizen(citizen) }
  await cause('authorization.accepted', 'acceptAuthorization', { ...byCitizen, path: revoked })
  await cause('authorization.revoked', 'revokeAuthorization', { ...byCitizen, path: revoked })
  await cause('authorization.declined', 'declineAuthorization', { ...byCitizen, path: declined })
  const { headers } = partner
  await cause('authorization.cancelled', 'cancelAuthorization', { headers, path: cancelled })
  const query = `qr_value=${await citizen.showQr('share')}`
  await cause('profile.viewed', 'profileByQr', { headers, query })
  const path = { partner_code: partner.code }
  const asOperator = { Authorization: `Bearer ${service.operatorToken}` }
  await cause('webhook.test', 'testCallback', { headers: asOperator, path })

  const count = Object.keys(traces).length
  await untilReceived(receiver, count)
  await service.advance(10)
  const received = await untilReceived(receiver, 2 * count)
  expect(new Set(received.map(({ event }) => event.type)).size).toBe(count)
  for (const { event, headers: sent } of received) expect(sent['traceparent']).toBe(traces[event.type])
  await receiver.close()
})

test('200: sign-ins that share a statement keep their own traces', async () => {
  const { receiver, partner, citizen } = await partnerWithReceiver(service)
  const codes = await Promise.all(Array.from({ length: 6 }, () => citizen.exchangeCode(partner.code)))
  const tokens = await Promise.all(
    codes.map(async (exchange_code) => {
      const { partner_code, partner_secret } = partner.credentials
      const body = { partner_code, partner_secret, scope: 'SSO_AUTHENTICATION', exchange_code }
      const headers = { 'Content-Type': 'application/json' }
      const response = await service.send('generateToken', { headers, body: JSON.stringify(body) })
      return ((await response.json()) as { access_token: string }).access_token
    }),
  )
  const sent = await Promise.all(
    tokens.map(async (token, index) => {
      const traced = index % 2 ? { traceparent: fromCaller(newTraceId(), '00') } : {}
      const headers = { Authorization: `Bearer ${token}`, ...traced }
      const response = await service.send('authenticate', { headers })
      return index % 2 ? response.headers.get('traceparent')! : 'none'
    }),
  )
  const received = await untilReceived(receiver, tokens.length)
  const traces = received.map(({ headers }) => headers['traceparent'] ?? 'none')
  expect([traces.length, new Set(traces)]).toEqual([sent.length, new Set(sent)])
  await receiver.close()
})
