import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { locate } from '../kit/contract-check.ts'
import { errorBody } from '../kit/error-body.ts'
import { exampleProfile } from '../kit/example-profile.ts'
import { startTestService, type TestService } from '../kit/test-service.ts'

let service: TestService
beforeAll(async () => void (service = await startTestService({})))
afterAll(() => service.close())

const LINE = JSON.stringify({ profile: exampleProfile('LINE-AT-ONCE'), passport: null })
const headersFor = (token: string) => ({ Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-ndjson' })

/** An import that has begun and is not sent to its end. */
function begin(token: string): ClientRequest {
  const { method, path } = locate('importCitizens')
  const begun = request(service.url + path, { method, headers: headersFor(token), agent: false })
  begun.on('error', () => {})
  begun.write('\n')
  return begun
}

const attempt = () => service.send('importCitizens', { headers: headersFor(service.operatorToken), body: LINE })

describe('importCitizens', () => {
  test('503: a fifth simultaneous import, with Retry-After; later it succeeds', async () => {
    const held = new Set<ClientRequest>()
    // One that came fifth itself, behind an attempt, begins again.
    const hold = () => {
      const one = begin(service.operatorToken).once('response', () => held.delete(one) && hold())
      held.add(one)
    }
    for (let count = 0; count < 4; count++) hold()
    let refused: Response
    do refused = await attempt()
    while (refused.status === 200)
    expect(await errorBody(refused.clone())).toMatchObject({ status: 503, error: 'unavailable' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    for (const one of held) one.destroy()
    await expect.poll(async () => (await attempt()).status).toBe(200)
  })

  test('401: a request without a valid token is refused before its body is read, and takes no slot', async () => {
    const begun = Array.from({ length: 5 }, () => begin('wrong'))
    // All are listened to from the beginning: they are answered in any order.
    const answers = (await Promise.all(begun.map((each) => once(each, 'response')))) as [{ statusCode: number }][]
    expect(answers.map(([{ statusCode }]) => statusCode)).toEqual([401, 401, 401, 401, 401])
    expect((await attempt()).status).toBe(200)
    for (const each of begun) each.destroy()
  })
})
