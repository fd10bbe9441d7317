// What live refuses although each setting by itself is well formed. A value is never repeated in a message: a URL may hold a password.
import pg from 'pg'
import { isLoopbackHost } from './addresses.ts'

type Environment = Record<string, string | undefined>

const PROVIDERS = ['TIWALA_CITIZEN_ISSUER', 'TIWALA_CITIZEN_JWKS_URL', 'TIWALA_OPERATOR_ISSUER', 'TIWALA_OPERATOR_JWKS_URL']

export function findTlsProblems(environment: Environment): string[] {
  if (environment['TIWALA_ENVIRONMENT'] !== 'live') return []
  return [...publicUrlProblems(environment), ...providerProblems(environment), ...databaseProblems(environment)]
}

function publicUrlProblems({ TIWALA_PUBLIC_URL }: Environment): string[] {
  const url = URL.parse(TIWALA_PUBLIC_URL ?? '')
  return !url || url.protocol === 'https:' ? [] : ['TIWALA_PUBLIC_URL: must be an https URL in live (TLS may end at a proxy)']
}

/** Plain http to a loopback host is allowed, since that traffic never leaves the machine. */
function providerProblems(environment: Environment): string[] {
  const isUnsafe = (name: string) => {
    const url = URL.parse(environment[name] ?? '')
    return url && url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackHost(url.hostname))
  }
  return PROVIDERS.filter(isUnsafe).map((name) => `${name}: must be an https URL in live (http only on a loopback host)`)
}

/** A remote PostgreSQL needs TLS that verifies the server: anyone on the way could otherwise read the traffic or take the server's place. */
function databaseProblems({ DATABASE_URL, TIWALA_DATABASE_WITHOUT_TLS }: Environment): string[] {
  if (!DATABASE_URL || !URL.canParse(DATABASE_URL)) return []
  const connection = readConnection(DATABASE_URL)
  if (typeof connection === 'string') return [connection]
  const { host, ssl } = connection
  const isRemote = !host.startsWith('/') && !isLoopbackHost(host)
  if (!isRemote || ssl === 'verified' || TIWALA_DATABASE_WITHOUT_TLS === host) return []
  const lack = ssl === 'none' ? 'without TLS' : 'with TLS that does not verify the server'
  return [
    `DATABASE_URL: leads to ${host} ${lack}. Add sslmode=verify-full (and sslrootcert=<file>), or allow it: TIWALA_DATABASE_WITHOUT_TLS=${host}`,
  ]
}

type Connection = { host: string; ssl: 'none' | 'unverified' | 'verified' }

/** As the driver itself reads the URL, with the environment variables (`PGSSLMODE`) that it respects. */
function readConnection(url: string): Connection | string {
  try {
    const { host, ssl } = new pg.Client({ connectionString: url }) as unknown as {
      host: string
      ssl: boolean | { rejectUnauthorized?: boolean; checkServerIdentity?: unknown }
    }
    if (!ssl) return { host, ssl: 'none' }
    // With a CA of one's own any certificate of it is accepted (libpq's verify-ca): the CA answers for that.
    return { host, ssl: typeof ssl === 'object' && ssl.rejectUnauthorized === false ? 'unverified' : 'verified' }
  } catch (error) {
    // A certificate file that cannot be read, or an unknown combination; the driver's message may quote the URL.
    return `DATABASE_URL: the driver refuses it (${(error as NodeJS.ErrnoException).code ?? 'see its sslmode and certificate files'})`
  }
}
