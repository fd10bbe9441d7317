// A real server over a fresh database, for tests.
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DocumentName } from '@tiwala/contract'
import { pino } from 'pino'
import { ask } from '../approvals/ask.ts'
import { SANDBOX_STAFF_ISSUER } from '../authentication/identity-tokens.ts'
import { type Config, readConfig } from '../config.ts'
import { documents } from '../contract/documents.ts'
import { connectPostgres, type Database } from '../database/connect.ts'
import { openEmbedded } from '../database/embedded.ts'
import { migrate } from '../database/migrate.ts'
import { createLog } from '../http/pipeline/log.ts'
import { contractOf } from '../http/pipeline/warm-up.ts'
import { findPartnerId, putMembers } from '../members/member.sql.ts'
import type { MemberRole } from '../members/member.ts'
import { insertSession } from '../members/session.sql.ts'
import { cookieNameOf, SESSION_COOKIES } from '../network/cookies.ts'
import type { Service } from '../operation.ts'
import { insertOperatorSession } from '../operators/session.sql.ts'
import { sandboxTokens } from '../sandbox/tokens.ts'
import { csrfTokenOf } from '../secrets/csrf.ts'
import { mintKey, mintKeys } from '../secrets/open-key-ring.ts'
import { mintCookie, mintMemberId, mintSessionId } from '../secrets/tokens.ts'
import { start } from '../start.ts'
import {
  advanceClock,
  backUpTables,
  breakSchema,
  copyDatabase,
  countRows,
  databaseUrl,
  dumpDatabase,
  onServer,
} from './database.ts'
import { freePort } from './free-port.ts'

export { PURPOSES, type RingKey } from '../secrets/key-ring.ts'
export { mintKey, mintKeys } from '../secrets/open-key-ring.ts'
export { freePort } from './free-port.ts'

/** `logFolder`: the services write their logs there, at debug level. */
export type TestEngine = ({ kind: 'embedded'; templateFile: string } | { kind: 'postgres'; url: string }) & {
  logFolder?: string
}
/** `headers`: of the session; `bearer`: of an access token of the same person. */
export type Member = {
  memberId: string
  headers: { Cookie: string; 'X-Csrf-Token': string }
  bearer: { Authorization: string }
}
export type TestService = {
  url: string
  config: Config
  /** Identity tokens, as the identity providers of citizens and operators would issue them. */
  tokens: ReturnType<typeof sandboxTokens>
  /** A new member of the partner who has signed in. */
  signIn(partnerCode: string, role?: MemberRole): Promise<Member>
  /** An administrator who has signed in to the console with these scopes: the headers of the session. */
  signInOperator(scopes: string[], subject?: string): Promise<Member['headers']>
  /** An administrator asks to suspend the partner. Returns the `approval_id`. */
  askToSuspend(partnerCode: string): Promise<string>
  db: Database
  advance(seconds: number): Promise<void>
  /** How many requests wait for a change in this process. */
  waiting(): number
  countRows(...tables: string[]): Promise<number[]>
  /** Every row of every table, as text. */
  dumpDatabase(): Promise<string>
  /** Copies every table; the returned function restores them. */
  backUp(): Promise<() => Promise<void>>
  /** Renames tables, so that statements fail as with an error in the service. */
  breakSchema(): Promise<void>
  /** Disconnects the server from its database, as if PostgreSQL were down. */
  loseDatabase(): Promise<void>
  close(drainMs?: number): Promise<void>
}

const MAX_STATEMENT_MS = 10_000
/** The services of a process share this pair: to mint one takes more processor time than the rest of a start. */
const RSA_PAIR = mintKey('id-token-rs256')

/** The migrated database. Each service gets a copy of it. */
export const TEMPLATE = 'tiwala_template'

/** Prepares an engine once, so that each service starts from a copy of a migrated database. */
export async function prepareEmbedded(): Promise<Blob | File> {
  const opened = openEmbedded()
  await migrate(opened.unbounded)
  const image = await opened.pglite.dumpDataDir('none')
  await opened.close()
  return image
}

export async function preparePostgres(url: string): Promise<void> {
  await onServer(url, async (admin) => {
    await admin.query(`drop database if exists ${TEMPLATE} with (force)`)
    await admin.query(`create database ${TEMPLATE}`)
  })
  const opened = connectPostgres(databaseUrl(url, TEMPLATE), () => {}, MAX_STATEMENT_MS)
  await migrate(opened.unbounded)
  await opened.close()
}

/**
 * Compiles the schemas of every operation, for all services that this process starts later. Without it the first request
 * of each operation compiles its own, which a test of the memory would take for a leak.
 */
export async function warmUpContracts(): Promise<void> {
  for (const [name, { components }] of Object.entries(documents))
    await contractOf(name as DocumentName, Object.keys(components.securitySchemes), { isWarm: true })
}

/** `settings` are environment variables, as in production. Limits are off unless they are set. */
export async function startService(
  engine: TestEngine,
  settings: Record<string, string> = {},
): Promise<TestService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tiwala-'))
  const port = await freePort()
  const unlimited = {
    // As in live.
    TIWALA_SECOND_PERSON: 'settings',
    TIWALA_REQUESTS_PER_MINUTE: '1000000',
    TIWALA_VIEWS_PER_MINUTE: '1000000',
    TIWALA_TOKENS_PER_MINUTE: '1000000',
    TIWALA_SIGN_INS_PER_MINUTE: '1000000',
    TIWALA_REFUSED_CREDENTIALS_PER_MINUTE: '1000000',
    TIWALA_WAITS_PER_PARTNER: '1000000',
    TIWALA_WAITS_PER_RECORD: '1000000',
    TIWALA_STREAMS_PER_CITIZEN: '1000000',
    TIWALA_ANONYMOUS_REQUESTS_PER_SECOND: '1000000',
    TIWALA_POLL_INTERVAL_SECONDS: '0',
    TIWALA_PENDING_PER_CITIZEN: '1000000',
    TIWALA_PENDING_PER_CITIZEN_AND_PARTNER: '1000000',
    TIWALA_REQUESTS_PER_CITIZEN_AND_HOUR: '1000000',
    TIWALA_DISCLOSURES_PER_RECORD_AND_HOUR: '1000000',
    TIWALA_WRITES_PER_CITIZEN_AND_MINUTE: '1000000',
    TIWALA_SANDBOXES_PER_ADDRESS: '1000000',
    TIWALA_SANDBOXES_PER_NETWORK: '1000000',
    // So long that a busy test machine does not exceed them.
    TIWALA_MAX_QUEUED_MS: '10000',
    TIWALA_REQUEST_DEADLINE_MS: '10000',
  }
  await writeFile(join(dataDir, 'keys.json'), JSON.stringify({ keys: mintKeys(RSA_PAIR) }))
  const config = readConfig({ ...unlimited, ...settings, PORT: String(port), TIWALA_DATA_DIR: dataDir })
  const database = await openCopy(engine, config.admission.deadlineMs)
  const { service, close } = await start(config, logOf(engine), async () => database)
  return {
    url: config.publicUrl,
    config,
    tokens: sandboxTokens(service),
    signIn: (partnerCode, role = 'admin') => signIn(service, partnerCode, role),
    signInOperator: (scopes, subject = 'sandbox-operator') => signInOperator(service, scopes, subject),
    askToSuspend: (partnerCode) => askToSuspend(service, partnerCode),
    db: service.db,
    waiting: () => service.notifications.waiting(),
    advance: async (seconds) => {
      await advanceClock(service.db, seconds)
      // Secrets may have expired.
      service.partnerCache.invalidate()
      service.notifications.wakeAll()
    },
    countRows: (...tables) => Promise.all(tables.map((table) => countRows(service.db, table))),
    dumpDatabase: () => dumpDatabase(service.db),
    backUp: () => backUpTables(service.db),
    breakSchema: () => breakSchema(service.db),
    loseDatabase: database.lose,
    close: async (drainMs) => {
      await close(drainMs)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function signIn(service: Service, partnerCode: string, role: MemberRole): Promise<Member> {
  const { db, keys, config } = service
  const [memberId, id] = [mintMemberId(), mintCookie()]
  const email = `${memberId.toLowerCase()}@staff.example`
  const partnerId = (await findPartnerId(db, partnerCode))!
  await putMembers(db, [{ partnerId, memberId, email, role }])
  const hmac = keys.hmac('session', id)
  const subject = `${SANDBOX_STAFF_ISSUER} ${email}`
  await insertSession(db, { hmac, subject, email, partnerCode, hours: 8, requestId: 'test' })
  const bearer = { Authorization: `Bearer ${await sandboxTokens(service).member(email)}` }
  return { memberId, headers: headersOf({ keys, config }, 'member', id, hmac), bearer }
}

async function askToSuspend(service: Service, partnerCode: string): Promise<string> {
  const act = {
    kind: 'suspension' as const,
    partnerId: (await findPartnerId(service.db, partnerCode))!,
    change: { status: 'SUSPENDED' },
    previous: { status: 'ACTIVE' },
  }
  const by = { actor: 'sandbox-operator', requestId: 'test', reason: 'Test' }
  return (await ask(service, act, by)).approval_id
}

async function signInOperator({ db, keys, config }: Service, scopes: string[], subject: string) {
  const [id, sessionId] = [mintCookie(), mintSessionId()]
  const hmac = keys.hmac('operator_session', id)
  await insertOperatorSession(db, {
    hmac,
    sessionId,
    subject,
    scopes,
    name: null,
    hours: config.sessions.hours,
    requestId: 'test',
  })
  return headersOf({ keys, config }, 'operator', id, hmac)
}

const headersOf = (
  { keys, config }: Pick<Service, 'keys' | 'config'>,
  person: keyof typeof SESSION_COOKIES,
  id: string,
  hmac: string,
): Member['headers'] => ({
  Cookie: `${cookieNameOf(config, SESSION_COOKIES[person])}=${id}`,
  'X-Csrf-Token': csrfTokenOf(keys, hmac),
})

const logOf = ({ logFolder }: TestEngine) =>
  logFolder
    ? createLog('debug', pino.destination(join(logFolder, `${randomUUID()}.log`)))
    : createLog('silent')

async function openCopy(engine: TestEngine, maxStatementMs: number) {
  if (engine.kind === 'embedded') {
    const opened = openEmbedded({ loadDataDir: new Blob([await readFile(engine.templateFile)]) })
    return {
      ...opened,
      lose: opened.close,
      close: () => (opened.pglite.closed ? Promise.resolve() : opened.close()),
    }
  }
  const name = `tiwala_${randomUUID().replaceAll('-', '')}`
  await onServer(engine.url, (admin) => copyDatabase(admin, TEMPLATE, name))
  const opened = connectPostgres(databaseUrl(engine.url, name), () => {}, maxStatementMs)
  const drop = () =>
    onServer(engine.url, async (admin) => {
      await admin.query(`drop database if exists ${name} with (force)`)
    })
  const close = async () => {
    await opened.close()
    await drop()
  }
  return { ...opened, lose: drop, close }
}
