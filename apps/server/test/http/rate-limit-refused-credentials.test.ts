// How wrong credentials are counted: the handler alone. packages/contract-tests/src/door/limits.test.ts has the answers.
import type { Request, Response } from 'express'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { Failure } from '../../src/failure.ts'
import { rateLimitRefusedCredentials } from '../../src/http/rate-limit-refused-credentials.ts'

const config = readConfig({ TIWALA_REFUSED_CREDENTIALS_PER_MINUTE: '2' })

/** Refuses wrong credentials of an address and a code; returns the error that is answered. */
function limit() {
  const handler = rateLimitRefusedCredentials(config)
  return (ip: string, code: string): string => {
    const req = { ip, path: '/api/pub/inquiry', headers: { 'x-secret-code': code }, refusal: new Failure('credentials_invalid') }
    void handler(req.refusal, req as unknown as Request, {} as Response, () => {})
    return req.refusal.code
  }
}

test('an attacker with ever new addresses and codes fills a bounded memory, and is not forgotten for it', () => {
  const refuse = limit()
  for (let count = 0; count < 3; count++) refuse('192.0.2.1', 'twc_guessed')
  expect(refuse('192.0.2.1', 'twc_guessed')).toBe('rate_limited')
  const answers = Array.from({ length: 30_000 }, (_, index) => refuse(`10.0.${index >> 8}.${index & 255}`, `twc_${index}`))
  expect(answers[0]).toBe('credentials_invalid')
  // Beyond, all that are new share one count.
  expect(new Set(answers.slice(-1_000))).toEqual(new Set(['rate_limited']))
  expect(refuse('192.0.2.1', 'twc_guessed')).toBe('rate_limited')
})

test('an address that claims ever new codes has a count of its own', () => {
  const refuse = limit()
  const answers = Array.from({ length: 1_000 }, (_, index) => refuse('192.0.2.1', `twc_${index}`))
  expect(answers.slice(0, 20).filter((code) => code !== 'credentials_invalid')).toEqual([])
  expect(new Set(answers.slice(20))).toEqual(new Set(['rate_limited']))
  expect(refuse('192.0.2.2', 'twc_0')).toBe('credentials_invalid')
})
