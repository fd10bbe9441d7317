import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mintKeys } from '@tiwala/server/testing'
import { startIdentityProvider } from '@tiwala/server/testing-identity'
import { startContender } from './contender.ts'

const MAIN = '../../../server/src/main.ts'
const NO_LIMIT = '1000000000'

/**
 * The settings of a production service, with three differences. Limits are off, because the peers have none
 * either and queue without end. QR values, exchange codes and access tokens live an hour, so that they outlive the
 * rounds for which they are created. All APIs share one port.
 */
const LIVE_ENV = {
  TIWALA_ENVIRONMENT: 'live',
  TIWALA_TRUSTED_PROXIES: '127.0.0.1',
  TIWALA_OPERATOR_ADDRESS: 'shared',
  TIWALA_PUBLIC_URL: 'https://tiwala.bench.invalid',
  LOG_LEVEL: 'info',
  TIWALA_REQUESTS_PER_MINUTE: NO_LIMIT,
  TIWALA_VIEWS_PER_MINUTE: NO_LIMIT,
  TIWALA_TOKENS_PER_MINUTE: NO_LIMIT,
  TIWALA_SIGN_INS_PER_MINUTE: NO_LIMIT,
  TIWALA_REFUSED_CREDENTIALS_PER_MINUTE: NO_LIMIT,
  TIWALA_PENDING_PER_CITIZEN: NO_LIMIT,
  TIWALA_PENDING_PER_CITIZEN_AND_PARTNER: NO_LIMIT,
  TIWALA_REQUESTS_PER_CITIZEN_AND_HOUR: NO_LIMIT,
  TIWALA_DISCLOSURES_PER_RECORD_AND_HOUR: NO_LIMIT,
  TIWALA_WRITES_PER_CITIZEN_AND_MINUTE: NO_LIMIT,
  TIWALA_ANONYMOUS_REQUESTS_PER_SECOND: NO_LIMIT,
  TIWALA_MAX_QUEUED_MS: '30000',
  TIWALA_REQUEST_DEADLINE_MS: '30000',
  TIWALA_EXCHANGE_CODE_TTL_SECONDS: '3600',
  TIWALA_QR_TTL_SECONDS: '3600',
  TIWALA_ACCESS_TOKEN_TTL_SECONDS: '3600',
}

export type Tiwala = Awaited<ReturnType<typeof prepareTiwala>>
type Options = { name?: string; nodeArgs?: string[]; env?: Record<string, string> }

/** Starts the identity providers. All processes of the service share them and one key ring. */
export async function prepareTiwala(folder: string) {
  const citizens = await startIdentityProvider('tiwala-citizen')
  const operators = await startIdentityProvider('tiwala-operator')
  const keyRingFile = join(folder, 'keys.json')
  writeFileSync(keyRingFile, JSON.stringify({ keys: mintKeys() }), { mode: 0o600 })
  const liveEnv = {
    ...LIVE_ENV,
    TIWALA_KEY_RING_FILE: keyRingFile,
    TIWALA_CITIZEN_ISSUER: citizens.issuer,
    TIWALA_CITIZEN_JWKS_URL: citizens.issuer,
    TIWALA_OPERATOR_ISSUER: operators.issuer,
    TIWALA_OPERATOR_JWKS_URL: operators.issuer,
  }
  return {
    keyRingFile,
    /** Without the database. */
    env: liveEnv,
    citizenToken: (uniqid: string) => citizens.sign(uniqid),
    operatorToken: () => operators.sign('bench', 'partners:write credentials:write citizens:write'),
    /** Starts the service with production settings over a database. */
    start: (databaseUrl: string, { name = 'tiwala', nodeArgs = [], env = {} }: Options = {}) =>
      startContender({
        name,
        args: [...nodeArgs, MAIN],
        env: { ...liveEnv, DATABASE_URL: databaseUrl, ...env },
        logFolder: folder,
      }),
    /** Starts the sandbox over the embedded database, as `npm start` does. */
    startEmbedded: (dataDir: string) =>
      startContender({
        name: 'embedded',
        args: [MAIN],
        env: { TIWALA_DATA_DIR: dataDir },
        logFolder: folder,
      }),
  }
}
