import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { locate } from '@tiwala/kit/operations'
import { exampleProfile } from '@tiwala/kit/users'
import { describe, expect, test } from 'vitest'
import { errorBody } from '../kit/error-body.ts'
import { receive } from '../kit/send-raw.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile({})

const { method: METHOD, path: PATH } = locate('importCitizens')
const LINE = JSON.stringify({ profile: exampleProfile('LINE-AT-ONCE'), passport: null })
const headersFor = (token: string) => ({
  Authorization: `Bearer ${token}`,
  'Content-Type': 'application/x-ndjson',
})

/** Starts an import, and does not send the end of its body. */
function startImport(token: string): ClientRequest {
  const started = request(service.url + PATH, { method: METHOD, headers: headersFor(token), agent: false })
  started.on('error', () => {})
  started.write('\n')
  return started
}

const attempt = () =>
  service.send('importCitizens', { headers: headersFor(service.operatorToken), body: LINE })

describe('importCitizens', () => {
  test('503: a fifth simultaneous import, with Retry-After; later it succeeds', async () => {
    const imports = new Set<ClientRequest>()
    // An import that was itself refused as the fifth, after an attempt, starts again.
    const hold = () => {
      const one = startImport(service.operatorToken).once('response', () => imports.delete(one) && hold())
      imports.add(one)
    }
    for (let count = 0; count < 4; count++) hold()
    let refused: Response
    do refused = await attempt()
    while (refused.status === 200)
    expect(await errorBody(refused.clone())).toMatchObject({ status: 503, error: 'unavailable' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    for (const one of imports) one.destroy()
    await expect.poll(async () => (await attempt()).status).toBe(200)
  })

  test('401: a request without a valid token is refused before its body, and takes no slot', async () => {
    const started = Array.from({ length: 5 }, () => startImport('wrong'))
    // The listeners are added at the same time, because the responses arrive in any order.
    const incoming = (await Promise.all(started.map((each) => once(each, 'response')))) as [IncomingMessage][]
    const responses = await Promise.all(incoming.map(([each]) => receive(METHOD, PATH, each)))
    expect(responses.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
    expect((await attempt()).status).toBe(200)
    for (const each of started) each.destroy()
  })
})
