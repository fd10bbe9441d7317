import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { type Pooler, requestSettings } from './connect.ts'
import { checkServer, type FitnessCheck, compareSettings, POOLED } from './fitness.ts'
import { connectionFor, connectionThrough, connectQuery } from './session.ts'

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

type Options = {
  databaseUrl: string
  poolerUrl?: string | undefined
  replicaUrl?: string | undefined
  requestMs: number
  startingProcesses?: number
}

/** Checks PostgreSQL over a connection like those of requests, and its pooler, if there is one, over one through it. */
export async function checkPostgres({
  databaseUrl,
  poolerUrl,
  replicaUrl,
  requestMs,
  startingProcesses = 0,
}: Options) {
  const settings = requestSettings(requestMs)
  const client = clientOf(connectionFor(databaseUrl, 'requests', settings))
  const hasPooler = poolerUrl !== undefined
  const check = async () => {
    await client.connect()
    const checks = await checkServer(client, settings, { hasPooler, startingProcesses })
    const through = hasPooler ? await checkPooler(client, poolerUrl, settings) : undefined
    if (through) checks.push(through.check)
    if (replicaUrl !== undefined) checks.push(await checkReplica(client, replicaUrl, settings))
    return { checks, pooler: through?.pooler }
  }
  const failed = (error: Error) => {
    const problem = explain(error, 'DATABASE_URL')
    return { checks: [{ name: 'connection', found: '', problem } satisfies FitnessCheck], pooler: undefined }
  }
  const { checks, pooler }: { checks: FitnessCheck[]; pooler: Pooler | undefined } =
    await check().catch(failed)
  await client.end().catch(() => {})
  return { address: `${client.host}:${client.port}`, checks, pooler }
}

const clientOf = (connection: pg.ClientConfig) =>
  new pg.Client({ ...connection, connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS }).on(
    'error',
    () => {},
  )

const PREPARES = 'and keeps prepared statements'
const PREPARES_NOT =
  'without prepared statements, so PostgreSQL plans each statement each time: ' +
  'PgBouncer keeps them since 1.21, with max_prepared_statements'

async function checkPooler(
  direct: pg.Client,
  url: string,
  settings: Record<string, string>,
): Promise<{ check: FitnessCheck; pooler: Pooler }> {
  const through = clientOf(connectionThrough(url, 'requests'))
  const pooler: Pooler = { url, canPrepare: false }
  const check: FitnessCheck = { name: 'pooler', found: '' }
  try {
    await through.connect()
    pooler.canPrepare = await canPrepare(through)
    check.found = `${through.host}:${through.port} leads to this database, ${pooler.canPrepare ? PREPARES : PREPARES_NOT}`
    check.problem = await findPoolerProblem(direct, through, settings)
  } catch (error) {
    check.problem = `its pooler: ${explain(error as Error, 'TIWALA_POOLER_URL')}`
  }
  await through.end().catch(() => {})
  return { check, pooler }
}

/** A standby that cannot be reached is a warning: without it the lists fail, and nothing else. */
async function checkReplica(
  primary: pg.Client,
  url: string,
  settings: Record<string, string>,
): Promise<FitnessCheck> {
  const replica = clientOf(connectionFor(url, 'replica', settings))
  const check: FitnessCheck = { name: 'replica', found: '' }
  try {
    await replica.connect()
    check.found = `${replica.host}:${replica.port} has the same database`
    if ((await clusterOf(primary)) !== (await clusterOf(replica)))
      check.problem =
        'TIWALA_REPLICA_URL leads to another database. Let it lead to a standby of the one of DATABASE_URL'
    else if (!(await hasNewestCheckpoint(primary, replica)))
      check.problem =
        'TIWALA_REPLICA_URL leads to a standby whose audit the primary does not have, for example from before a ' +
        'restore. Make the standby again from the primary; until then, remove the setting'
  } catch (error) {
    check.problem = `its replica: ${explain(error as Error, 'TIWALA_REPLICA_URL')}`
    check.isWarning = true
  }
  await replica.end().catch(() => {})
  return check
}

/** A database, also on its standbys. */
async function clusterOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ cluster: string }>(
    "select system_identifier || ' ' || current_database() as cluster from pg_control_system()",
  )
  return rows[0]!.cluster
}

/**
 * Whether the primary has the newest checkpoint of the audit of its standby. A standby is behind, and never ahead. After a
 * restore of the primary, it may still have the data from before, and a checkpoint that the primary lacks or has otherwise.
 */
async function hasNewestCheckpoint(primary: pg.Client, replica: pg.Client): Promise<boolean> {
  const newest = await findCheckpoint(replica, String(Number.MAX_SAFE_INTEGER))
  return !newest || (await findCheckpoint(primary, newest.number))?.signature === newest.signature
}

/** The newest checkpoint up to this number. */
async function findCheckpoint(client: pg.Client, upTo: string) {
  const table = await client.query<{ name: string | null }>("select to_regclass('audit_checkpoint') as name")
  // The first start creates the table.
  if (table.rows[0]!.name === null) return undefined
  const { rows } = await client.query<{ number: string; signature: string }>(
    'select number, signature from audit_checkpoint where number <= $1 order by number desc limit 1',
    [upTo],
  )
  return rows[0]
}

/** PgBouncer gives prepared statements names of its own if it keeps them for each of its clients. */
async function canPrepare(through: pg.Client): Promise<boolean> {
  const name = `tiwala_${randomUUID()}`
  const text = 'select from pg_prepared_statements where name = $1'
  // In a transaction, both statements reach the same connection to PostgreSQL, which keeps the statement otherwise.
  await through.query('begin')
  const { rowCount } = await through.query({ name, text, values: [name] })
  if (rowCount === 1) await through.query(`deallocate "${name}"`)
  await through.query('commit')
  return rowCount === 0
}

/**
 * The sessions of a pooler set it themselves, also where the server has the value already: a reload of PostgreSQL could
 * turn it off, and from then on a crash would lose acknowledged writes.
 */
const NEVER_FROM_SERVER = 'synchronous_commit'

async function findPoolerProblem(
  direct: pg.Client,
  through: pg.Client,
  settings: Record<string, string>,
): Promise<string | undefined> {
  if ((await identityOf(direct)) !== (await identityOf(through)))
    return 'TIWALA_POOLER_URL leads to another database. Let both lead to the same primary'
  const compared = await compareSettings(through, settings)
  const isWrong = ({ name, wanted, actual, source }: (typeof compared)[number]) =>
    wanted !== actual || (name === NEVER_FROM_SERVER && source !== 'session' && source !== 'client')
  const wrong = compared.find(isWrong)
  // PgBouncer takes no long text, so it leaves out what the server has already.
  const toSet = compared.filter((each) => isWrong(each) || each.source === 'session' || each.source === null)
  return (
    wrong &&
    (wrong.wanted === wrong.actual
      ? `the sessions of its pooler do not set ${wrong.name}, so a reload of PostgreSQL could change it. `
      : `${wrong.name} is ${wrong.actual ?? 'not set'} in the sessions of its pooler and must be ${wrong.wanted}. `) +
      `Add to the line of the database in pgbouncer.ini, then RECONNECT: ` +
      `connect_query='${connectQuery(toSet).replaceAll("'", "''")}'`
  )
}

/** A running server and one of its databases, as a text that no setting of the session changes. */
async function identityOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ identity: string }>(
    "select extract(epoch from pg_postmaster_start_time()) || ' ' || current_database() as identity",
  )
  return rows[0]!.identity
}

/** Throws one line for the operator if PostgreSQL or its pooler cannot be used. Returns how to use the pooler. */
export async function requirePostgres(
  options: Options,
  onWarning: (text: string) => void,
): Promise<Pooler | undefined> {
  const { address, checks, pooler } = await checkPostgres(options)
  const problems = checks.filter(({ problem }) => problem !== undefined)
  const first = problems.find(({ isWarning }) => !isWarning)
  if (first) throw new Error(`PostgreSQL at ${address} cannot be used: ${first.problem}.`)
  for (const { problem } of problems) onWarning(`PostgreSQL at ${address}: ${problem}.`)
  return pooler
}

/**
 * The error messages of PostgreSQL are clear and contain no password, so they are used where there is no
 * better text.
 */
function explain(error: Error & { code?: string }, setting: string): string {
  if (OPTIONS_REFUSED.test(error.message)) return POOLED
  if (TIMED_OUT.test(error.message))
    return `no response within ${TIMEOUT_MS / 1000} seconds. Check ${setting}`
  if (CLOSED.test(error.message)) return `${REASONS['ECONNRESET']}. Check ${setting}`
  const certificateProblem = CERTIFICATE_PROBLEMS[error.code ?? '']
  if (certificateProblem) return certificateProblem.replace('DATABASE_URL', setting)
  const reason =
    REASONS[error.code ?? ''] ??
    (error.message || (error.code ?? error.name)).replaceAll(/\s+/g, ' ').replace(/\.$/, '')
  return `${reason}. Check ${setting}`
}
