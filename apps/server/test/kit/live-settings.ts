import { mintKeys } from '../../src/secrets/open-key-ring.ts'

/** Settings with which the live environment starts, except for the key ring and the database. */
export const LIVE = {
  TIWALA_ENVIRONMENT: 'live',
  DATABASE_URL: 'postgres://svc:S3cret@localhost/tiwala',
  TIWALA_PUBLIC_URL: 'https://tiwala.example',
  TIWALA_KEY_RING: '{}',
  TIWALA_TRUSTED_PROXIES: '127.0.0.1',
  TIWALA_CITIZEN_ISSUER: 'https://citizens.example',
  TIWALA_CITIZEN_JWKS_URL: 'https://citizens.example/jwks.json',
  TIWALA_OPERATOR_ISSUER: 'https://operators.example',
  TIWALA_OPERATOR_JWKS_URL: 'https://operators.example/jwks.json',
}

/** Settings of a live service over this database. */
export const liveOn = (databaseUrl: string) => ({
  ...LIVE,
  DATABASE_URL: databaseUrl,
  TIWALA_DATABASE_WITHOUT_TLS: new URL(databaseUrl).hostname,
  TIWALA_KEY_RING: JSON.stringify({
    keys: mintKeys().filter(({ purpose }) => purpose !== 'sandbox-issuer'),
  }),
})
