// How the server counts wrong credentials: the handler alone, without a server.
import type { Request, Response } from 'express'
import { expect, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { Failure } from '../../../src/failure.ts'
import {
  createCredentialThrottle,
  rateLimitRefusedCredentials,
} from '../../../src/http/load/address-limits.ts'

const openapi = { schema: { operationId: 'inquire' } }
const config = readConfig({ TIWALA_REFUSED_CREDENTIALS_PER_MINUTE: '2' })

/** Refuses wrong credentials for an address and a secret code. Returns the error code of the response. */
function limit() {
  const handler = rateLimitRefusedCredentials(createCredentialThrottle(config))
  return (ip: string, code: string): string => {
    const req = {
      ip,
      path: '/api/pub/inquiry',
      headers: { 'x-secret-code': code },
      openapi,
      exchange: { refusal: new Failure('credentials_invalid') },
    }
    void handler(req.exchange.refusal, req as unknown as Request, {} as Response, () => {})
    return req.exchange.refusal.code
  }
}

test('429: refusals of many addresses and codes take nothing from the count of another address', () => {
  const refuse = limit()
  const isLimited = (address: string) =>
    [1, 2, 3].map(() => refuse(address, 'twc_guessed')).includes('rate_limited')
  expect(isLimited('192.0.2.1')).toBe(true)
  for (let index = 0; index < 60_000; index++) refuse(`10.0.${index >> 8}.${index & 255}`, `twc_${index}`)
  expect(refuse('192.0.2.1', 'twc_guessed')).toBe('rate_limited')
  // With a count that they share, every address would be limited at its first refusal.
  const others = Array.from({ length: 100 }, (_, index) => refuse(`192.0.3.${index}`, 'twc_other'))
  expect(others.filter((code) => code === 'rate_limited').length).toBeLessThan(50)
})

test('429: an address that tries many codes has its own count', () => {
  const refuse = limit()
  const responses = Array.from({ length: 1_000 }, (_, index) => refuse('192.0.2.1', `twc_${index}`))
  expect(responses.slice(0, 20).filter((code) => code !== 'credentials_invalid')).toEqual([])
  expect(new Set(responses.slice(20))).toEqual(new Set(['rate_limited']))
  expect(refuse('192.0.2.2', 'twc_0')).toBe('credentials_invalid')
})

test('429: a credential that is refused after its authentication counts, too', () => {
  const handler = rateLimitRefusedCredentials(createCredentialThrottle(config))
  const refuse = () => {
    const exchange: { refusal?: Failure } = {}
    const request = { ip: '192.0.2.1', path: '/api/pub/inquiry', headers: {}, openapi, exchange }
    void handler(new Failure('token_used'), request as unknown as Request, {} as Response, () => {})
    return exchange.refusal?.code
  }
  expect([refuse(), refuse(), refuse()]).toEqual([undefined, undefined, 'rate_limited'])
})

test.each([
  [
    'inquire',
    { headers: { 'x-secret-code': 'A', authorization: 'B' } },
    { headers: { 'x-secret-code': 'C' } },
  ],
  [
    'generateToken',
    { headers: {}, body: { partner_code: 'A' } },
    { headers: {}, body: { partner_code: 'B' } },
  ],
  ['listDisclosures', { headers: { authorization: 'A' } }, { headers: { authorization: 'B' } }],
])('429: %s counts the code by which its caller authenticates', (operationId, one, other) => {
  const handler = rateLimitRefusedCredentials(createCredentialThrottle(config))
  const refuse = (request: object) => {
    const exchange: { refusal?: Failure } = {}
    const req = { ip: '192.0.2.1', openapi: { schema: { operationId } }, exchange, ...request }
    void handler(new Failure('token_invalid'), req as unknown as Request, {} as Response, () => {})
    return exchange.refusal?.code
  }
  expect([one, one, one, other].map(refuse)).toEqual([undefined, undefined, 'rate_limited', undefined])
})
