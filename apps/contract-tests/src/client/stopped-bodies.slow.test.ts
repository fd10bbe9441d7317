// A response whose body stops, after thousands of requests in the same process: compiled code keeps only the objects
// that it still uses.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createPartnerClient } from '@tiwala/client'
import { afterAll, expect, test } from 'vitest'
import { ACCEPTED } from '../kit/documented-responses.ts'
import { UNKNOWN_CREDENTIALS } from '../kit/unknown-credentials.ts'

let stopsInBody = false
const server = createServer((_request, response) => {
  response.writeHead(200, ACCEPTED.headers)
  if (stopsInBody) response.write('{')
  else response.end(JSON.stringify(ACCEPTED.body))
})
await once(server.listen(0, '127.0.0.1'), 'listening')
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

test.each([
  ['the fetch of the platform', undefined],
  ['a fetch of the caller', (request: Request) => fetch(request)],
])('the time-out ends it: %s', async (_name, ownFetch) => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const profiles = createPartnerClient({
    baseUrl,
    ...UNKNOWN_CREDENTIALS,
    timeoutMs: 1_000,
    maxRetries: 0,
    ...(ownFetch && { fetch: ownFetch }),
  })
  stopsInBody = false
  for (let sent = 0; sent < 3_000; sent++) await profiles.inquire('x')
  stopsInBody = true
  const collecting = setInterval(collectGarbage, 50)
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => profiles.inquire('x'))).finally(
    () => clearInterval(collecting),
  )
  expect(outcomes).toMatchObject(Array.from({ length: 5 }, () => ({ reason: { code: 'timeout' } })))
})
