import { createServer } from 'node:http'
import { SignJWT, importJWK } from 'jose'
import { describe, expect, test } from 'vitest'
import { createVerifyIdentity } from '../src/http/identity.ts'
import { createKeyRing } from '../src/secrets/key-ring.ts'
import { mintKeys } from '../src/secrets/open-key-ring.ts'
import { freePort } from '../src/testing.ts'

const keys = mintKeys()
const issuerKey = keys.find(({ purpose }) => purpose === 'sandbox-issuer')!
const [issuer, audience] = ['https://identity.example', 'tiwala-citizen']

async function tokenOf({ kid = issuerKey.kid, expires = '1h' } = {}): Promise<string> {
  const jwt = new SignJWT().setProtectedHeader({ alg: 'EdDSA', kid }).setSubject('CTZ-1').setIssuer(issuer).setAudience(audience)
  return `Bearer ${await jwt.setExpirationTime(expires).sign(await importJWK(issuerKey, 'EdDSA'))}`
}

const verifierAt = (jwksUrl: string) =>
  createVerifyIdentity(
    { issuer, audience, jwksUrl },
    createKeyRing(() => keys),
  )

/** A provider whose keys are answered so. */
async function provider(status: number, body: string) {
  const server = createServer((_req, res) => void res.writeHead(status, { 'Content-Type': 'application/json' }).end(body))
  const port = await freePort()
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${port}/`, [Symbol.asyncDispose]: async () => void server.close() }
}

describe('tokens of an identity provider', () => {
  const { d: _private, ...publicKey } = issuerKey

  test('its keys are fetched, and its token is believed', async () => {
    await using keySet = await provider(200, JSON.stringify({ keys: [publicKey] }))
    expect((await verifierAt(keySet.url)(await tokenOf())).sub).toBe('CTZ-1')
  })

  test('a key it does not have, and an end that has come, are refused as such', async () => {
    await using keySet = await provider(200, JSON.stringify({ keys: [publicKey] }))
    const verify = verifierAt(keySet.url)
    await expect(verify(await tokenOf({ kid: 'unknown' }))).rejects.toMatchObject({ code: 'token_invalid' })
    await expect(verify(await tokenOf({ expires: '-1s' }))).rejects.toMatchObject({ code: 'token_expired' })
  })

  test('a provider that cannot be reached, or answers something else, says nothing of the token: 503', async () => {
    await using broken = await provider(500, 'out of order')
    for (const url of [broken.url, `http://127.0.0.1:${await freePort()}/`])
      await expect(verifierAt(url)(await tokenOf())).rejects.toMatchObject({ code: 'unavailable', headers: { 'Retry-After': '5' } })
  })
})
