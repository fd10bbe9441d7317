import type { DocumentName } from '@tiwala/contract'
import { cleanEnv, type CleanedEnv, EnvMissingError } from 'envalid'
import { type Address, isLoopbackHost, readAddress } from './network/addresses.ts'
import { findTlsProblems } from './network/tls-requirements.ts'
import { SETTINGS } from './settings.ts'
import { DOCUMENTS } from './settings/validators.ts'

export type Config = ReturnType<typeof readConfig>

/** An address to listen on, the setting that it comes from, and what the server serves there. */
export type Listener = Address & {
  setting: 'PORT' | 'TIWALA_OPERATOR_ADDRESS'
  /** Whether other processes may listen there too. */
  reusePort: boolean
  url: string
  documents: DocumentName[]
  hasPages: boolean
  /** The name of its documentation, by which `apps/docs` builds it. */
  docs: string
}

const LIVE_OPERATOR_ADDRESS = '127.0.0.1:8081'
/** Where this machine reaches a process that listens at every address. */
const LOOPBACK_OF_WILDCARD: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Returns the whole configuration, or throws one error that lists every problem. */
export function readConfig(environment: NodeJS.ProcessEnv) {
  const problems: string[] = []
  const refused = new Set<string>()
  const env = cleanEnv(environment, SETTINGS, {
    reporter: ({ errors }) => {
      for (const [name, error] of Object.entries(errors)) {
        refused.add(name)
        const isMissing = error instanceof EnvMissingError
        problems.push(`${name}: ${isMissing ? `is required. ${error.message}` : error?.message}`)
      }
    },
  })
  /** Reading a refused setting from `env` throws. */
  const valid: Partial<typeof env> = Object.fromEntries(
    Object.keys(SETTINGS)
      .filter((name) => !refused.has(name))
      .map((name) => [name, env[name as keyof typeof env]]),
  )
  const { TIWALA_ENVIRONMENT, TIWALA_KEY_RING, TIWALA_KEY_RING_FILE } = environment
  if (TIWALA_ENVIRONMENT === 'live' && !TIWALA_KEY_RING && !TIWALA_KEY_RING_FILE)
    problems.push('TIWALA_KEY_RING or TIWALA_KEY_RING_FILE: is required in live')
  if (TIWALA_KEY_RING && TIWALA_KEY_RING_FILE)
    problems.push('TIWALA_KEY_RING and TIWALA_KEY_RING_FILE: only one can have effect. Remove the other')
  problems.push(...findAddressProblems(valid))
  problems.push(...findTlsProblems(valid))
  if (valid.TIWALA_STAFF_AUDIENCE && valid.TIWALA_STAFF_AUDIENCE === valid.TIWALA_STAFF_CLIENT_ID)
    problems.push('TIWALA_STAFF_AUDIENCE: must differ from TIWALA_STAFF_CLIENT_ID, the audience of ID tokens')
  if (valid.TIWALA_STAFF_JWKS_URL && !valid.TIWALA_STAFF_ISSUER)
    problems.push('TIWALA_STAFF_JWKS_URL: needs TIWALA_STAFF_ISSUER, whose keys these are')
  if (problems.length === 1) throw new Error(`${problems[0]} (see SETTINGS.md)`)
  if (problems.length)
    throw new Error(['These settings are wrong or missing (see SETTINGS.md):', ...problems].join('\n  '))
  return toConfig(env)
}

/** Addresses that are correct, each for itself, but do not fit together. */
function findAddressProblems(env: Partial<CleanedEnv<typeof SETTINGS>>): string[] {
  const problems: string[] = []
  const isForOperatorsOnly = env.TIWALA_DOCUMENTS?.join() === 'operator'
  if (env.TIWALA_ENVIRONMENT === 'live' && env.TIWALA_TRUSTED_PROXIES?.length === 0 && !isForOperatorsOnly)
    problems.push(
      'TIWALA_TRUSTED_PROXIES: is required in live. Name the address of the TLS terminator, for example ' +
        '127.0.0.1; without it, all callers count as one address',
    )
  const { host, port } = readAddress(env.TIWALA_OPERATOR_ADDRESS ?? '') ?? {}
  if (port !== undefined && host === env.HOST && port === env.PORT && !isForOperatorsOnly)
    problems.push('TIWALA_OPERATOR_ADDRESS: is the address of HOST and PORT. Choose another, or shared')
  const isForBrowsers = env.TIWALA_ENVIRONMENT === 'live' && env.TIWALA_CONSOLE_CLIENT_ID !== undefined
  const isLocal = host === undefined || host in LOOPBACK_OF_WILDCARD || isLoopbackHost(host)
  if (isForBrowsers && env.TIWALA_CONSOLE_URL === undefined && !isLocal)
    problems.push(
      'TIWALA_CONSOLE_URL: is required with this TIWALA_OPERATOR_ADDRESS. A browser keeps the cookie of the ' +
        'console only at an https URL or a loopback host',
    )
  return problems
}

/**
 * In live the operator API has its own address. A process that serves only the operator API listens only
 * there. A process without the operator API has its health checks and metrics there, if the setting names it.
 */
function listenersOf(env: CleanedEnv<typeof SETTINGS>, publicUrl: string): Omit<Listener, 'docs'>[] {
  const isLive = env.TIWALA_ENVIRONMENT === 'live'
  const address = readAddress(env.TIWALA_OPERATOR_ADDRESS ?? (isLive ? LIVE_OPERATOR_ADDRESS : 'shared'))
  const documents = env.TIWALA_DOCUMENTS
  const main = {
    host: env.HOST,
    port: env.PORT,
    setting: 'PORT',
    reusePort: env.TIWALA_REUSE_PORT,
    url: publicUrl,
    documents,
    hasPages: true,
  } as const
  const isServed = documents.includes('operator') || env.TIWALA_OPERATOR_ADDRESS !== undefined
  if (!address || !isServed) return [main]
  const host = LOOPBACK_OF_WILDCARD[address.host] ?? address.host
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`
  const otherDocuments = documents.filter((name) => name !== 'operator')
  const operator = {
    ...address,
    setting: 'TIWALA_OPERATOR_ADDRESS',
    // Each process answers for its own metrics.
    reusePort: false,
    url,
    documents: documents.filter((name) => name === 'operator'),
    hasPages: false,
  } satisfies Omit<Listener, 'docs'>
  return otherDocuments.length ? [{ ...main, documents: otherDocuments }, operator] : [operator]
}

function toConfig(env: CleanedEnv<typeof SETTINGS>) {
  const publicUrl = env.TIWALA_PUBLIC_URL ?? `http://localhost:${env.PORT}`
  const isLocalSandbox = env.TIWALA_ENVIRONMENT === 'sandbox' && isLoopbackHost(new URL(publicUrl).hostname)
  const listeners: Listener[] = listenersOf(env, publicUrl).map((listener) => ({
    ...listener,
    docs: [env.TIWALA_ENVIRONMENT, ...DOCUMENTS.filter((name) => listener.documents.includes(name))].join(
      '.',
    ),
  }))
  const operatorUrl = listeners.find(({ documents }) => documents.includes('operator'))?.url ?? publicUrl
  return {
    listeners,
    publicUrl,
    hasPublicUrl: env.TIWALA_PUBLIC_URL !== undefined,
    /** The numbers among the settings, which the documentation shows. */
    numbers: Object.fromEntries(
      Object.entries(env).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
    ) as Record<string, number | undefined>,
    /** The address at which operators reach this service, as far as the configuration shows. */
    operatorUrl,
    databaseUrl: env.DATABASE_URL,
    poolerUrl: env.TIWALA_POOLER_URL,
    replicaUrl: env.TIWALA_REPLICA_URL,
    dataDir: env.TIWALA_DATA_DIR,
    auditArchiveDir: env.TIWALA_AUDIT_ARCHIVE_DIR,
    environment: env.TIWALA_ENVIRONMENT,
    /** A sandbox at a loopback address is for the developer of this machine; any other one is for strangers. */
    isLocalSandbox,
    isPublicSandbox: env.TIWALA_ENVIRONMENT === 'sandbox' && !isLocalSandbox,
    otlpUrl: env.TIWALA_OTLP_URL,
    tracedPerThousand: env.TIWALA_TRACED_PER_THOUSAND,
    /** Paths by their names. */
    backupFiles: Object.fromEntries(
      env.TIWALA_BACKUP_FILES.map((entry) => entry.split(/:(.*)/s) as [string, string]),
    ),
    logLevel: env.LOG_LEVEL,
    keyRing: env.TIWALA_KEY_RING,
    keyRingFile: env.TIWALA_KEY_RING_FILE,
    trustedProxies: env.TIWALA_TRUSTED_PROXIES,
    citizenIdentity: {
      issuer: env.TIWALA_CITIZEN_ISSUER,
      audience: env.TIWALA_CITIZEN_AUDIENCE,
      jwksUrl: env.TIWALA_CITIZEN_JWKS_URL,
    },
    operatorIdentity: {
      issuer: env.TIWALA_OPERATOR_ISSUER,
      audience: env.TIWALA_OPERATOR_AUDIENCE,
      jwksUrl: env.TIWALA_OPERATOR_JWKS_URL,
    },
    staffIdentity: {
      issuer: env.TIWALA_STAFF_ISSUER,
      clientId: env.TIWALA_STAFF_CLIENT_ID,
      clientSecret: env.TIWALA_STAFF_CLIENT_SECRET,
      emailClaim: env.TIWALA_STAFF_EMAIL_CLAIM,
      jwksUrl: env.TIWALA_STAFF_JWKS_URL,
      audience: env.TIWALA_STAFF_AUDIENCE,
    },
    console: {
      url: env.TIWALA_CONSOLE_URL ?? operatorUrl,
      clientId: env.TIWALA_CONSOLE_CLIENT_ID,
      clientSecret: env.TIWALA_CONSOLE_CLIENT_SECRET,
      scope: env.TIWALA_CONSOLE_SCOPE,
    },
    sessions: { idleMinutes: env.TIWALA_SESSION_IDLE_MINUTES, hours: env.TIWALA_SESSION_HOURS },
    approvals: {
      kinds: env.TIWALA_SECOND_PERSON ?? (env.TIWALA_ENVIRONMENT === 'live' ? ['settings'] : []),
      days: env.TIWALA_APPROVAL_DAYS,
    },
    /** The public keys that sign reports for going live. `undefined`: partners need no report. */
    goingLiveKeys: env.TIWALA_GOING_LIVE_KEYS_FILE,
    acrValues: env.TIWALA_ACR_VALUES,
    citizenAppUrl:
      env.TIWALA_CITIZEN_APP_URL ??
      (env.TIWALA_ENVIRONMENT === 'sandbox' ? `${publicUrl}/sandbox/phone` : 'tiwala://sign-in'),
    identityTokenMaxHours: env.TIWALA_IDENTITY_TOKEN_MAX_HOURS,
    identityKeysKeptHours: env.TIWALA_IDENTITY_KEYS_KEPT_HOURS,
    timeZone: env.TIWALA_TIME_ZONE,
    qrTtlSeconds: env.TIWALA_QR_TTL_SECONDS,
    qrRetrySeconds: env.TIWALA_QR_RETRY_SECONDS,
    authorizationTtlSeconds: env.TIWALA_AUTHORIZATION_TTL_SECONDS,
    resultTtlSeconds: env.TIWALA_RESULT_TTL_SECONDS,
    pollIntervalSeconds: env.TIWALA_POLL_INTERVAL_SECONDS,
    exchangeCodeTtlSeconds: env.TIWALA_EXCHANGE_CODE_TTL_SECONDS,
    accessTokenTtlSeconds: env.TIWALA_ACCESS_TOKEN_TTL_SECONDS,
    secretTtlDays: env.TIWALA_SECRET_TTL_DAYS,
    idempotencyKeyTtlSeconds: env.TIWALA_IDEMPOTENCY_KEY_TTL_SECONDS,
    retention: {
      codesHours: env.TIWALA_CODES_KEPT_HOURS,
      recordsDays: env.TIWALA_RECORDS_KEPT_DAYS,
      eventsDays: env.TIWALA_EVENTS_KEPT_DAYS,
      diagnosesHours: env.TIWALA_DIAGNOSES_KEPT_HOURS,
      requestsDays: env.TIWALA_REQUESTS_KEPT_DAYS,
    },
    /** What the guard of partners does. */
    anomalyActions: env.TIWALA_ANOMALY_ACTIONS ?? {},
    reminderDays: env.TIWALA_SECRET_REMINDER_DAYS,
    citizenRequestLimits: {
      pending: env.TIWALA_PENDING_PER_CITIZEN,
      pendingOfPartner: env.TIWALA_PENDING_PER_CITIZEN_AND_PARTNER,
      inAnHour: env.TIWALA_REQUESTS_PER_CITIZEN_AND_HOUR,
    },
    disclosuresPerRecordAndHour: env.TIWALA_DISCLOSURES_PER_RECORD_AND_HOUR,
    writesPerCitizenAndMinute: env.TIWALA_WRITES_PER_CITIZEN_AND_MINUTE,
    diagnosesPerMinute: env.TIWALA_DIAGNOSES_PER_MINUTE,
    maxWaitSeconds: env.TIWALA_MAX_WAIT_SECONDS,
    maxWaiting: env.TIWALA_MAX_WAITING,
    concurrencyCaps: {
      streamsPerCitizen: env.TIWALA_STREAMS_PER_CITIZEN,
      waitsPerPartner: env.TIWALA_WAITS_PER_PARTNER,
      waitsPerRecord: env.TIWALA_WAITS_PER_RECORD,
    },
    admission: {
      maxInFlight: env.TIWALA_MAX_IN_FLIGHT,
      maxQueued: env.TIWALA_MAX_QUEUED,
      maxQueuedMs: env.TIWALA_MAX_QUEUED_MS,
      deadlineMs: env.TIWALA_REQUEST_DEADLINE_MS,
    },
    keepAliveSeconds: env.TIWALA_KEEP_ALIVE_SECONDS,
    drainMs: env.TIWALA_DRAIN_MS,
    anonymousPerSecond: env.TIWALA_ANONYMOUS_REQUESTS_PER_SECOND,
    /** The limits of a partner that has none of its own. */
    partnerLimits: {
      requests_per_minute: env.TIWALA_REQUESTS_PER_MINUTE,
      views_per_minute: env.TIWALA_VIEWS_PER_MINUTE,
      tokens_per_minute: env.TIWALA_TOKENS_PER_MINUTE,
      sign_ins_per_minute: env.TIWALA_SIGN_INS_PER_MINUTE,
    },
    sandboxes: {
      hours: env.TIWALA_SANDBOX_HOURS,
      max: env.TIWALA_SANDBOXES,
      maxOfAddress: env.TIWALA_SANDBOXES_PER_ADDRESS,
      maxOfNetwork: env.TIWALA_SANDBOXES_PER_NETWORK,
    },
    callbackAddresses: {
      /** The sandbox sends events to servers on the same machine if it is itself at a loopback address. */
      allowLoopback: isLocalSandbox,
      networks: env.TIWALA_CALLBACK_NETWORKS,
    },
    refusedCredentialsPerMinute: env.TIWALA_REFUSED_CREDENTIALS_PER_MINUTE,
  }
}
