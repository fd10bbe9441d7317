import { createServer, type ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { vi } from 'vitest'
import { createVerifyIdentity } from '../../src/authentication/identity-tokens.ts'
import { createKeySet, type FetchResult } from '../../src/authentication/key-set.ts'
import { freePort } from '../../src/testing/start-service.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const issuer = 'https://identity.example'
export const audience = 'tiwala-citizen'

/** A key, and a token that it signed. */
export async function newKey(kid: string, lifetime = '48h') {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const token = await new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid })
    .setSubject('CTZ-1')
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime(lifetime)
    .sign(privateKey)
  return { jwk: { ...(await exportJWK(publicKey)), kid }, authorization: `Bearer ${token}` }
}
export const [first, second] = [await newKey('first'), await newKey('second')]

export type Respond = (res: ServerResponse, elsewhere: string) => void
export const keys =
  (...published: unknown[]): Respond =>
  (res) =>
    void res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ keys: published }))
export const unreachable: Respond = (res) => void res.destroy()

/** A key set over HTTP that responds as the test says. */
export async function startProvider(
  response: Respond,
  { port, elsewhere = '' }: { port?: number; elsewhere?: string } = {},
) {
  const provider = {
    response,
    fetches: 0,
    aborted: 0,
    accept: '' as string | undefined,
    url: '',
    [Symbol.asyncDispose]: async () => void server.close(),
  }
  const server = createServer((req, res) => {
    provider.fetches++
    provider.accept = req.headers.accept
    res.on('close', () => (provider.aborted += res.writableEnded ? 0 : 1))
    provider.response(res, elsewhere)
  })
  const listening = port ?? (await freePort())
  await new Promise<void>((resolve) => void server.listen(listening, '127.0.0.1', resolve))
  provider.url = `http://127.0.0.1:${listening}/jwks.json`
  return provider
}

/** A verifier with a clock that the test moves. */
export async function startVerifier(response: Respond, elsewhere?: string) {
  const provider = await startProvider(response, elsewhere ? { elsewhere } : {})
  const clock = { nowMs: Date.now() }
  const mocked = vi.spyOn(Date, 'now').mockImplementation(() => clock.nowMs)
  const results: FetchResult[] = []
  const keySet = createKeySet({
    url: provider.url,
    keptMs: 24 * HOUR_MS,
    onFetched: (result) => void results.push(result),
  })
  const verify = createVerifyIdentity({ issuer, audience, maxHours: 48 }, keySet.findKey)
  const outcome = ({ authorization }: { authorization: string }) =>
    verify(authorization).then(
      ({ sub }) => sub,
      ({ code }: { code: string }) => code,
    )
  const dispose = () => {
    mocked.mockRestore()
    return provider[Symbol.asyncDispose]()
  }
  return { provider, clock, keySet, results, verify, outcome, [Symbol.asyncDispose]: dispose }
}
