import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** An identity provider: its key set over HTTP, and tokens signed with its key. It keeps no process alive. */
export async function startIdentityProvider(audience: string) {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1' }
  const server = createServer((_req, res) => res.end(JSON.stringify({ keys: [jwk] })))
  await once(server.listen(0, '127.0.0.1').unref(), 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const sign = (sub: string, scope?: string) =>
    new SignJWT(scope === undefined ? {} : { scope })
      .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(sub)
      .setIssuedAt()
      .setExpirationTime('2h')
      .sign(privateKey)
  return { issuer, sign, stop: () => void server.close() }
}
