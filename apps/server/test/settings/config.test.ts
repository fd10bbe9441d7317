// Which setting each part of the configuration comes from, and its default.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { SETTINGS } from '../../src/settings.ts'
import { LIVE } from '../kit/live-settings.ts'

/** The settings with a number or a text, by the part of the configuration that they set. */
const SETTING_OF: Record<string, keyof typeof SETTINGS> = {
  tracedPerThousand: 'TIWALA_TRACED_PER_THOUSAND',
  dataDir: 'TIWALA_DATA_DIR',
  keyRing: 'TIWALA_KEY_RING',
  keyRingFile: 'TIWALA_KEY_RING_FILE',
  'citizenIdentity.issuer': 'TIWALA_CITIZEN_ISSUER',
  'citizenIdentity.audience': 'TIWALA_CITIZEN_AUDIENCE',
  'citizenIdentity.jwksUrl': 'TIWALA_CITIZEN_JWKS_URL',
  'operatorIdentity.issuer': 'TIWALA_OPERATOR_ISSUER',
  'operatorIdentity.audience': 'TIWALA_OPERATOR_AUDIENCE',
  'operatorIdentity.jwksUrl': 'TIWALA_OPERATOR_JWKS_URL',
  'console.clientId': 'TIWALA_CONSOLE_CLIENT_ID',
  'console.clientSecret': 'TIWALA_CONSOLE_CLIENT_SECRET',
  'console.scope': 'TIWALA_CONSOLE_SCOPE',
  'console.url': 'TIWALA_CONSOLE_URL',
  identityTokenMaxHours: 'TIWALA_IDENTITY_TOKEN_MAX_HOURS',
  identityKeysKeptHours: 'TIWALA_IDENTITY_KEYS_KEPT_HOURS',
  qrTtlSeconds: 'TIWALA_QR_TTL_SECONDS',
  qrRetrySeconds: 'TIWALA_QR_RETRY_SECONDS',
  authorizationTtlSeconds: 'TIWALA_AUTHORIZATION_TTL_SECONDS',
  resultTtlSeconds: 'TIWALA_RESULT_TTL_SECONDS',
  pollIntervalSeconds: 'TIWALA_POLL_INTERVAL_SECONDS',
  exchangeCodeTtlSeconds: 'TIWALA_EXCHANGE_CODE_TTL_SECONDS',
  accessTokenTtlSeconds: 'TIWALA_ACCESS_TOKEN_TTL_SECONDS',
  secretTtlDays: 'TIWALA_SECRET_TTL_DAYS',
  idempotencyKeyTtlSeconds: 'TIWALA_IDEMPOTENCY_KEY_TTL_SECONDS',
  'retention.codesHours': 'TIWALA_CODES_KEPT_HOURS',
  'retention.recordsDays': 'TIWALA_RECORDS_KEPT_DAYS',
  'retention.eventsDays': 'TIWALA_EVENTS_KEPT_DAYS',
  'retention.diagnosesHours': 'TIWALA_DIAGNOSES_KEPT_HOURS',
  reminderDays: 'TIWALA_SECRET_REMINDER_DAYS',
  'citizenRequestLimits.pending': 'TIWALA_PENDING_PER_CITIZEN',
  'citizenRequestLimits.pendingOfPartner': 'TIWALA_PENDING_PER_CITIZEN_AND_PARTNER',
  'citizenRequestLimits.inAnHour': 'TIWALA_REQUESTS_PER_CITIZEN_AND_HOUR',
  diagnosesPerMinute: 'TIWALA_DIAGNOSES_PER_MINUTE',
  maxWaitSeconds: 'TIWALA_MAX_WAIT_SECONDS',
  maxWaiting: 'TIWALA_MAX_WAITING',
  'concurrencyCaps.streamsPerCitizen': 'TIWALA_STREAMS_PER_CITIZEN',
  'concurrencyCaps.waitsPerPartner': 'TIWALA_WAITS_PER_PARTNER',
  'concurrencyCaps.waitsPerRecord': 'TIWALA_WAITS_PER_RECORD',
  disclosuresPerRecordAndHour: 'TIWALA_DISCLOSURES_PER_RECORD_AND_HOUR',
  writesPerCitizenAndMinute: 'TIWALA_WRITES_PER_CITIZEN_AND_MINUTE',
  'retention.requestsDays': 'TIWALA_REQUESTS_KEPT_DAYS',
  'approvals.days': 'TIWALA_APPROVAL_DAYS',
  'sessions.idleMinutes': 'TIWALA_SESSION_IDLE_MINUTES',
  'sessions.hours': 'TIWALA_SESSION_HOURS',
  'staffIdentity.issuer': 'TIWALA_STAFF_ISSUER',
  'staffIdentity.clientId': 'TIWALA_STAFF_CLIENT_ID',
  'staffIdentity.clientSecret': 'TIWALA_STAFF_CLIENT_SECRET',
  'staffIdentity.emailClaim': 'TIWALA_STAFF_EMAIL_CLAIM',
  'staffIdentity.jwksUrl': 'TIWALA_STAFF_JWKS_URL',
  'staffIdentity.audience': 'TIWALA_STAFF_AUDIENCE',
  'admission.maxInFlight': 'TIWALA_MAX_IN_FLIGHT',
  'admission.maxQueued': 'TIWALA_MAX_QUEUED',
  'admission.maxQueuedMs': 'TIWALA_MAX_QUEUED_MS',
  'admission.deadlineMs': 'TIWALA_REQUEST_DEADLINE_MS',
  keepAliveSeconds: 'TIWALA_KEEP_ALIVE_SECONDS',
  drainMs: 'TIWALA_DRAIN_MS',
  anonymousPerSecond: 'TIWALA_ANONYMOUS_REQUESTS_PER_SECOND',
  'partnerLimits.requests_per_minute': 'TIWALA_REQUESTS_PER_MINUTE',
  'partnerLimits.views_per_minute': 'TIWALA_VIEWS_PER_MINUTE',
  'partnerLimits.tokens_per_minute': 'TIWALA_TOKENS_PER_MINUTE',
  'partnerLimits.sign_ins_per_minute': 'TIWALA_SIGN_INS_PER_MINUTE',
  'sandboxes.hours': 'TIWALA_SANDBOX_HOURS',
  'sandboxes.max': 'TIWALA_SANDBOXES',
  'sandboxes.maxOfAddress': 'TIWALA_SANDBOXES_PER_ADDRESS',
  'sandboxes.maxOfNetwork': 'TIWALA_SANDBOXES_PER_NETWORK',
  refusedCredentialsPerMinute: 'TIWALA_REFUSED_CREDENTIALS_PER_MINUTE',
}

/** The parts of a nested object, by their paths. */
function partsOf(value: object, prefix = ''): [path: string, part: unknown][] {
  return Object.entries(value).flatMap(([name, part]: [string, unknown]): [string, unknown][] =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? partsOf(part, `${prefix}${name}.`)
      : [[prefix + name, part]],
  )
}

/** Only one of the two settings of the key ring can be set. */
test.each<keyof typeof SETTINGS>(['TIWALA_KEY_RING', 'TIWALA_KEY_RING_FILE'])(
  'each part of the configuration comes from its own setting, without %s',
  (unset) => {
    const settings = Object.entries(SETTING_OF).filter(([, setting]) => setting !== unset)
    const values = settings.map(([path, setting], index) => {
      const isUrl = /ISSUER|URL/.test(setting)
      const least = setting === 'TIWALA_IDEMPOTENCY_KEY_TTL_SECONDS' ? 600 : 100
      return { path, setting, value: isUrl ? `https://${index}.example` : String(least + index) }
    })
    const { numbers: _numbers, ...config } = readConfig({
      ...Object.fromEntries(values.map(({ setting, value }) => [setting, value])),
      DATABASE_URL: 'postgres://localhost/tiwala',
    })
    const parts = new Map(partsOf(config))
    expect(values.map(({ path }) => [path, String(parts.get(path))])).toEqual(
      values.map(({ path, value }) => [path, value]),
    )
    const numbers = [...parts].filter(([, part]) => typeof part === 'number').map(([path]) => path)
    expect(numbers.filter((path) => !(path in SETTING_OF))).toEqual([])
  },
)

test('an ID token is no access token of a member, and keys belong to an issuer', () => {
  const read = (settings: Record<string, string>) => () => readConfig(settings)
  expect(read({ TIWALA_STAFF_AUDIENCE: 'one', TIWALA_STAFF_CLIENT_ID: 'one' })).toThrow(
    'TIWALA_STAFF_AUDIENCE: must differ from TIWALA_STAFF_CLIENT_ID',
  )
  expect(read({ TIWALA_STAFF_JWKS_URL: 'https://id.example/keys' })).toThrow(
    'TIWALA_STAFF_JWKS_URL: needs TIWALA_STAFF_ISSUER',
  )
})

test('the default of each setting is the documented one', async () => {
  const text = await readFile(new URL('../../SETTINGS.md', import.meta.url), 'utf8')
  const documented = [...text.matchAll(/^\| `(\w+)` \| (.*?) \| /gm)].map(([, name, shown]) => [
    name,
    shown!.replaceAll('`', ''),
  ])
  const defaults = Object.entries<{ default?: { toString(): string } | undefined }>(SETTINGS).map(
    ([name, { default: value }]) => [name, value?.toString() ?? ''],
  )
  expect(documented).toEqual(defaults)
})

test('live serves the operator API only on this machine; the sandbox at the shared address', () => {
  const listenersOf = (settings: Record<string, string>) =>
    readConfig(settings).listeners.map(({ host, port, documents, hasPages }) => [
      `${host}:${port}`,
      documents.join(),
      hasPages,
    ])
  expect(listenersOf(LIVE)).toEqual([
    ['127.0.0.1:8080', 'partner,citizen-app,workbench', true],
    ['127.0.0.1:8081', 'operator', false],
  ])
  expect(listenersOf({ ...LIVE, TIWALA_DOCUMENTS: 'operator' })).toEqual([
    ['127.0.0.1:8081', 'operator', false],
  ])
  expect(listenersOf({})).toEqual([['127.0.0.1:8080', 'partner,citizen-app,workbench,operator', true]])
})

test('only the public port can be shared, and only with the setting', () => {
  const shared = (settings: Record<string, string>) =>
    readConfig({ ...LIVE, ...settings }).listeners.map(({ reusePort }) => reusePort)
  expect(shared({})).toEqual([false, false])
  expect(shared({ TIWALA_REUSE_PORT: 'true' })).toEqual([true, false])
})

test('the public URL is the one that the parser of URLs reads', () => {
  const publicUrlOf = (TIWALA_PUBLIC_URL: string) => readConfig({ ...LIVE, TIWALA_PUBLIC_URL }).publicUrl
  for (const given of ['https://tiwala.example/', 'HTTPS://Tiwala.Example:443', 'https://tiwala\t.example'])
    expect(publicUrlOf(given)).toBe('https://tiwala.example')
})

test('a document that is named twice is served once', () => {
  const { listeners } = readConfig({ TIWALA_DOCUMENTS: 'partner, operator,partner' })
  expect(listeners.map(({ documents }) => documents)).toEqual([['partner', 'operator']])
})
