import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mintKey, PURPOSES } from '@tiwala/server/testing'
import { type Contender, startContender } from './contender.ts'
import type { IdentityProvider } from './identity-provider.ts'

const MAIN = fileURLToPath(new URL('../../../server/src/main.ts', import.meta.url))
/** For the parts that run the service as a sandbox. */
const SANDBOX_PURPOSES = ['sandbox', 'sandbox-issuer'] as const
const NO_LIMIT = '1000000000'

/** Limits are off (the peers queue without end, too), and an exchange code made before the rounds outlives them, and all is on one port; nothing else differs from life. */
const LIVE = {
  TIWALA_ENVIRONMENT: 'live',
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
  TIWALA_LONGEST_QUEUED_MS: '30000',
  TIWALA_ANSWER_WITHIN_MS: '30000',
  TIWALA_EXCHANGE_CODE_TTL_SECONDS: '3600',
  TIWALA_ACCESS_TOKEN_TTL_SECONDS: '3600',
}

export type StartTiwala = (
  databaseUrl: string,
  more?: { name?: string; nodeArgs?: string[]; env?: Record<string, string> },
) => Promise<Contender>

/** Starts the service as in life, over a database; every process of a bench has the same keys. */
export function tiwalaStarter(folder: string, identity: IdentityProvider): StartTiwala {
  const keyRingFile = join(folder, 'keys.json')
  writeFileSync(keyRingFile, JSON.stringify({ keys: [...PURPOSES, ...SANDBOX_PURPOSES].map((purpose) => mintKey(purpose)) }), {
    mode: 0o600,
  })
  return (databaseUrl, { name = 'tiwala', nodeArgs = [], env = {} } = {}) =>
    startContender({
      name,
      args: [...nodeArgs, MAIN],
      env: { ...LIVE, ...identity.settings, DATABASE_URL: databaseUrl, TIWALA_KEY_RING_FILE: keyRingFile, ...env },
      readyPath: '/readyz',
      logFolder: folder,
    })
}

/** The sandbox over the embedded database, as `npm start` runs it. */
export const startEmbedded = (dataDir: string, logFolder: string) =>
  startContender({ name: 'tiwala-embedded', args: [MAIN], env: { TIWALA_DATA_DIR: dataDir }, readyPath: '/readyz', logFolder })
