import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import { freePort } from '@tiwala/server/testing'
import { SignJWT } from 'jose'

export type IdentityProvider = {
  /** The settings with which the service trusts this provider. */
  env: Record<string, string>
  citizenToken(uniqid: string): Promise<string>
  operatorToken(): Promise<string>
  stop(): void
}

const ISSUER = 'https://identity.bench.invalid'
const OPERATOR_SCOPES = 'partners:write credentials:write citizens:write'

/**
 * Starts the identity provider of the citizens and the operators. A live service accepts no tokens but those
 * of its identity providers.
 */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const keySet = JSON.stringify({
    keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'bench', alg: 'EdDSA' }],
  })
  const server = createServer(
    (_req, res) => void res.setHeader('Content-Type', 'application/json').end(keySet),
  )
  const port = await freePort()
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  const sign = (subject: string, audience: string, claims: Record<string, string> = {}) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'EdDSA', kid: 'bench' })
      .setIssuer(ISSUER)
      .setSubject(subject)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime('2h')
      .sign(privateKey)
  const jwksUrl = `http://127.0.0.1:${port}/`
  return {
    env: {
      TIWALA_CITIZEN_ISSUER: ISSUER,
      TIWALA_CITIZEN_JWKS_URL: jwksUrl,
      TIWALA_OPERATOR_ISSUER: ISSUER,
      TIWALA_OPERATOR_JWKS_URL: jwksUrl,
    },
    citizenToken: (uniqid) => sign(uniqid, 'tiwala-citizen'),
    operatorToken: () => sign('bench', 'tiwala-operator', { scope: OPERATOR_SCOPES }),
    stop: () => void server.close(),
  }
}
