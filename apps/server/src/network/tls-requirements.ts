// What live requires of URLs that are well formed, and whether the certificate files of the database can be
// read. A message never repeats a value, since a URL may contain a password.
import type { CleanedEnv } from 'envalid'
import pg from 'pg'
import type { SETTINGS } from '../settings.ts'
import { isLoopbackHost } from './addresses.ts'

/** The settings that are well formed. */
type Environment = Partial<CleanedEnv<typeof SETTINGS>>

const PROVIDERS = [
  'TIWALA_CITIZEN_ISSUER',
  'TIWALA_CITIZEN_JWKS_URL',
  'TIWALA_OPERATOR_ISSUER',
  'TIWALA_OPERATOR_JWKS_URL',
  'TIWALA_STAFF_ISSUER',
  'TIWALA_STAFF_JWKS_URL',
  'TIWALA_CONSOLE_URL',
] as const

export function findTlsProblems(environment: Environment): string[] {
  const isLive = environment.TIWALA_ENVIRONMENT === 'live'
  return [
    ...(isLive ? publicUrlProblems(environment) : []),
    ...(isLive ? providerProblems(environment) : []),
    ...databaseProblems('DATABASE_URL', environment),
    ...databaseProblems('TIWALA_POOLER_URL', environment),
    ...databaseProblems('TIWALA_REPLICA_URL', environment),
  ]
}

function publicUrlProblems({ TIWALA_PUBLIC_URL }: Environment): string[] {
  const url = URL.parse(TIWALA_PUBLIC_URL ?? '')
  return !url || url.protocol === 'https:'
    ? []
    : ['TIWALA_PUBLIC_URL: must be an https URL in live (TLS may end at a proxy)']
}

/** Plain http to a loopback host is allowed, since that traffic never leaves the machine. */
function providerProblems(environment: Environment): string[] {
  const isUnsafe = (name: (typeof PROVIDERS)[number]) => {
    const url = URL.parse(environment[name] ?? '')
    return url && url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackHost(url.hostname))
  }
  return PROVIDERS.filter(isUnsafe).map(
    (name) => `${name}: must be an https URL in live (http only on a loopback host)`,
  )
}

type DatabaseSetting = 'DATABASE_URL' | 'TIWALA_POOLER_URL' | 'TIWALA_REPLICA_URL'

/**
 * A remote PostgreSQL needs TLS that verifies the server. Otherwise the network could read the traffic or
 * impersonate the server.
 */
function databaseProblems(name: DatabaseSetting, environment: Environment): string[] {
  const { TIWALA_DATABASE_WITHOUT_TLS, TIWALA_ENVIRONMENT } = environment
  const url = environment[name]
  if (!url) return []
  if (!environment.DATABASE_URL) return [`${name}: needs DATABASE_URL, for the other connections`]
  const connection = readConnection(name, url)
  if (typeof connection === 'string') return [connection]
  if (TIWALA_ENVIRONMENT !== 'live') return []
  const { host, ssl } = connection
  const allowed = TIWALA_DATABASE_WITHOUT_TLS?.split(',').map((each) => each.trim())
  const isRemote = !host.startsWith('/') && !isLoopbackHost(host)
  if (!isRemote || ssl === 'verified' || allowed?.includes(host)) return []
  const problem = ssl === 'none' ? 'without TLS' : 'with TLS that does not verify the server'
  return [
    `${name}: leads to ${host} ${problem}. Add sslmode=verify-full (and sslrootcert=<file>), ` +
      `or allow it: TIWALA_DATABASE_WITHOUT_TLS=${host} (several hosts: separated by commas)`,
  ]
}

type Connection = { host: string; ssl: 'none' | 'unverified' | 'verified' }

/** The driver reads the URL, because it also applies environment variables such as `PGSSLMODE`. */
function readConnection(name: string, url: string): Connection | string {
  try {
    const { host, ssl } = new pg.Client({ connectionString: url }) as unknown as {
      host: string
      ssl: boolean | { rejectUnauthorized?: boolean; checkServerIdentity?: unknown }
    }
    if (!ssl) return { host, ssl: 'none' }
    // With a private CA, any certificate of this CA is accepted (verify-ca of libpq), since the CA vouches
    // for it.
    return {
      host,
      ssl: typeof ssl === 'object' && ssl.rejectUnauthorized === false ? 'unverified' : 'verified',
    }
  } catch (error) {
    // The driver's message may quote the URL, so only its code and its file are used.
    const { code, path = 'a certificate file' } = error as NodeJS.ErrnoException
    return code
      ? `${name}: cannot read ${path} (${code}). sslrootcert, sslcert and sslkey name files ` +
          'that the user of the service may read'
      : `${name}: the driver refuses its sslmode. Use sslmode=verify-full`
  }
}
