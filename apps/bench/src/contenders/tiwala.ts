import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mintKeys } from '@tiwala/server/testing'
import { type Contender, startContender } from './contender.ts'
import type { IdentityProvider } from './identity-provider.ts'

const MAIN = fileURLToPath(new URL('../../../server/src/main.ts', import.meta.url))
const NO_LIMIT = '1000000000'

/**
 * The settings of a production service, with three differences. Limits are off, because the peers have none
 * either and queue without end. Exchange codes and access tokens live an hour, so that they outlive the
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
  TIWALA_MAX_QUEUED_MS: '30000',
  TIWALA_REQUEST_DEADLINE_MS: '30000',
  TIWALA_EXCHANGE_CODE_TTL_SECONDS: '3600',
  TIWALA_ACCESS_TOKEN_TTL_SECONDS: '3600',
}

export type StartTiwala = (
  databaseUrl: string,
  options?: { name?: string; nodeArgs?: string[]; env?: Record<string, string> },
) => Promise<Contender>

/**
 * Returns a function that starts the service with production settings over a database. All processes that it
 * starts share one key ring.
 */
export function createTiwalaStarter(folder: string, identityProvider: IdentityProvider): StartTiwala {
  const keyRingFile = join(folder, 'keys.json')
  writeFileSync(keyRingFile, JSON.stringify({ keys: mintKeys() }), { mode: 0o600 })
  return (databaseUrl, { name = 'tiwala', nodeArgs = [], env = {} } = {}) =>
    startContender({
      name,
      args: [...nodeArgs, MAIN],
      env: {
        ...LIVE_ENV,
        ...identityProvider.env,
        DATABASE_URL: databaseUrl,
        TIWALA_KEY_RING_FILE: keyRingFile,
        ...env,
      },
      readyPath: '/readyz',
      logFolder: folder,
    })
}

/** Starts the sandbox over the embedded database, as `npm start` does. */
export const startEmbedded = (dataDir: string, logFolder: string) =>
  startContender({
    name: 'tiwala-embedded',
    args: [MAIN],
    env: { TIWALA_DATA_DIR: dataDir },
    readyPath: '/readyz',
    logFolder,
  })
