import pg from 'pg'
import { requestSettings } from './connect.ts'
import { checkServer, type FitnessCheck, POOLED } from './fitness.ts'
import { connectionFor } from './session.ts'

const TIMEOUT_MS = 5_000

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOENT: 'nothing listens there',
  ENOTFOUND: 'the host is not known',
  EAI_AGAIN: 'the host is not known',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ECONNRESET: 'it closed the connection',
}
const UNKNOWN_AUTHORITY =
  'its certificate is from an unknown authority. ' +
  'Add sslrootcert=<file> with the certificate of the authority to DATABASE_URL'
/** Each with what to do. */
const CERTIFICATE_PROBLEMS: Record<string, string> = {
  CERT_HAS_EXPIRED: 'its certificate has expired. Renew it on the server',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet. Check the clock of this machine',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'its certificate is for another host. Use a name that is in the certificate in DATABASE_URL',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
}
/** The error of a PgBouncer that does not ignore start options. */
const OPTIONS_REFUSED = /unsupported startup parameter/
const CLOSED = /^Connection terminated/
const TIMED_OUT = /timeout expired|Query read timeout/

type Options = { databaseUrl: string; requestMs: number }

/** Checks PostgreSQL over a connection like those of requests. */
export async function checkPostgres({ databaseUrl, requestMs }: Options) {
  const settings = requestSettings(requestMs)
  const connection = connectionFor(databaseUrl, 'requests', settings)
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  })
  client.on('error', () => {})
  const checks = await client
    .connect()
    .then(() => checkServer(client, settings))
    .catch((error: Error): FitnessCheck[] => [{ name: 'connection', found: '', problem: explain(error) }])
  await client.end().catch(() => {})
  return { address: `${client.host}:${client.port}`, checks }
}

/** Throws one line for the operator if PostgreSQL cannot be used. */
export async function requirePostgres(options: Options, onWarning: (text: string) => void): Promise<void> {
  const { address, checks } = await checkPostgres(options)
  const problems = checks.filter(({ problem }) => problem !== undefined)
  const first = problems.find(({ isWarning }) => !isWarning)
  if (first) throw new Error(`PostgreSQL at ${address} cannot be used: ${first.problem}.`)
  for (const { problem } of problems) onWarning(`PostgreSQL at ${address}: ${problem}.`)
}

/**
 * The error messages of PostgreSQL are clear and contain no password, so they are used where there is no
 * better text.
 */
function explain(error: Error & { code?: string }): string {
  if (OPTIONS_REFUSED.test(error.message)) return POOLED
  if (TIMED_OUT.test(error.message))
    return `no response within ${TIMEOUT_MS / 1000} seconds. Check DATABASE_URL`
  if (CLOSED.test(error.message)) return `${REASONS['ECONNRESET']}. Check DATABASE_URL`
  const certificateProblem = CERTIFICATE_PROBLEMS[error.code ?? '']
  if (certificateProblem) return certificateProblem
  const reason =
    REASONS[error.code ?? ''] ??
    (error.message || (error.code ?? error.name)).replaceAll(/\s+/g, ' ').replace(/\.$/, '')
  return `${reason}. Check DATABASE_URL`
}
