import { isIP } from 'node:net'
import type { DocumentName } from '@tiwala/contract'
import { makeValidator, port, str } from 'envalid'
import { CONNECTIONS_PER_PROCESS } from './database/session.ts'
import { readAddress } from './network/addresses.ts'

const wholeFrom = (min: number) =>
  makeValidator<number>((input) => {
    const value = Number(input)
    if (input.trim() === '' || !Number.isSafeInteger(value) || value < min)
      throw new Error(`"${input}" is not a whole number of at least ${min}`)
    return value
  })
const whole = wholeFrom(1)
/** The error never repeats the value, since the URL of a database contains a password. */
const url = makeValidator<string>((input) => {
  if (!URL.canParse(input)) throw new Error('is not a URL')
  return input
})
const proxies = makeValidator<string[]>((input) => {
  const addresses = input
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean)
  const wrong = addresses.filter((address) => !isIP(address.replace(/\/\d{1,3}$/, '')))
  if (wrong.length) throw new Error(`"${wrong.join()}" is not an IP address or range such as 10.0.0.0/8`)
  return addresses
})
const timeZone = makeValidator<string>(
  (input) => new Intl.DateTimeFormat('en', { timeZone: input }).resolvedOptions().timeZone && input,
)
const DOCUMENTS: readonly DocumentName[] = ['partner', 'citizen-app', 'operator']
const documents = makeValidator<DocumentName[]>((input) => {
  const names = input.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => !(DOCUMENTS as readonly string[]).includes(name))
  if (unknown.length) throw new Error(`"${unknown.join()}" is not one of ${DOCUMENTS.join()}`)
  return names as DocumentName[]
})
const operatorAddress = makeValidator<string>((input) => {
  if (input !== 'shared' && !readAddress(input))
    throw new Error(`"${input}" is not host:port, such as 127.0.0.1:8081, or shared`)
  return input
})
const live = {
  default: undefined,
  requiredWhen: (env: Record<string, unknown>) => env['TIWALA_ENVIRONMENT'] === 'live',
}

/** Every setting, read from the environment. `SETTINGS.md` is generated from this table. */
export const SETTINGS = {
  PORT: port({ default: 8080, desc: 'The port to listen on.' }),
  HOST: str({ default: '127.0.0.1', desc: 'The address to listen on.' }),
  DATABASE_URL: url({
    ...live,
    desc: `The PostgreSQL database (version 15 or later): \`postgres://user:password@host/database\`. Each process opens ${CONNECTIONS_PER_PROCESS} connections. Do not connect through a pooler. Default: an embedded database (sandbox only).`,
  }),
  TIWALA_DATABASE_WITHOUT_TLS: str({
    default: undefined,
    desc: 'The host of a remote PostgreSQL that live may use without TLS that verifies the server. Without this setting, live refuses such a connection. Loopback hosts and Unix sockets need no TLS.',
  }),
  TIWALA_PROCESSES: whole({
    default: 1,
    desc: 'The number of processes that serve requests on this machine. They share one port. More than one needs PostgreSQL.',
  }),
  TIWALA_DATA_DIR: str({
    default: '.tiwala',
    desc: 'The folder of the embedded database and of the sandbox keys.',
  }),
  TIWALA_ENVIRONMENT: str({
    choices: ['sandbox', 'live'] as const,
    default: 'sandbox',
    desc: 'The environment. `sandbox` creates synthetic citizens and a partner. `live` creates none of them and needs every key.',
  }),
  TIWALA_PUBLIC_URL: url({
    ...live,
    desc: 'The URL at which callers reach this service. Default: `http://localhost:$PORT`. Live: must be `https`.',
  }),
  LOG_LEVEL: str({
    choices: ['silent', 'fatal', 'error', 'warn', 'info', 'debug'] as const,
    default: 'info',
    desc: 'The log level. The log is JSON lines on standard output.',
  }),
  TIWALA_DOCUMENTS: documents({
    default: [...DOCUMENTS],
    desc: 'The APIs that this process serves: any of `partner,citizen-app,operator`, separated by commas.',
  }),
  TIWALA_OPERATOR_ADDRESS: operatorAddress({
    default: undefined,
    desc: 'The address on which the operator API and its document listen. `host:port`: a separate address. `shared`: `HOST` and `PORT`, like the other APIs. Default: `127.0.0.1:8081` in live, `shared` in the sandbox.',
  }),
  TIWALA_KEY_RING: str({
    default: undefined,
    desc: 'The keys, as a JWK set. Live: this setting or `TIWALA_KEY_RING_FILE` is required.',
  }),
  TIWALA_KEY_RING_FILE: str({
    default: undefined,
    desc: 'The file with the keys (a mounted secret). Live: no other user may read the file. A group may read it only if the file belongs to another user (mode `0600`, or `0440` of `root` and a group of the service).',
  }),
  TIWALA_TRUSTED_PROXIES: proxies({
    default: [],
    desc: 'The addresses or ranges of the trusted proxies, separated by commas. The service believes only their `X-Forwarded-For`. Without this setting, all callers behind a proxy count as one address.',
  }),
  TIWALA_CITIZEN_ISSUER: url({
    ...live,
    desc: "The issuer of the citizen app's tokens. Live: must be `https`, or `http` on a loopback host. The same applies to `TIWALA_CITIZEN_JWKS_URL`, `TIWALA_OPERATOR_ISSUER` and `TIWALA_OPERATOR_JWKS_URL`.",
  }),
  TIWALA_CITIZEN_AUDIENCE: str({
    default: 'tiwala-citizen',
    desc: "The audience of the citizen app's tokens.",
  }),
  TIWALA_CITIZEN_JWKS_URL: url({ ...live, desc: "The URL of the keys of the citizen app's issuer." }),
  TIWALA_OPERATOR_ISSUER: url({ ...live, desc: "The issuer of the administrators' tokens." }),
  TIWALA_OPERATOR_AUDIENCE: str({
    default: 'tiwala-operator',
    desc: "The audience of the administrators' tokens.",
  }),
  TIWALA_OPERATOR_JWKS_URL: url({ ...live, desc: "The URL of the keys of the administrators' issuer." }),
  TIWALA_IDENTITY_TOKEN_MAX_HOURS: whole({
    default: 24,
    desc: "The maximum lifetime (`exp` minus `iat`) of an issuer's token. The service rejects a token with a longer lifetime.",
  }),
  TIWALA_IDENTITY_KEYS_KEPT_HOURS: whole({
    default: 24,
    desc: 'How long the last fetched keys of an issuer stay in use while its JWKS URL cannot be reached. After that, requests with its tokens get `503`.',
  }),
  TIWALA_TIME_ZONE: timeZone({
    default: 'Asia/Manila',
    desc: 'The time zone of `accepted_at`, of the day of a daily quota, and of the day on which a secret was last used.',
  }),
  TIWALA_QR_TTL_SECONDS: whole({ default: 60, desc: 'The lifetime of a QR value.' }),
  TIWALA_QR_RETRY_SECONDS: wholeFrom(0)({
    default: 30,
    desc: 'How long the same partner can send a used QR value again and get the same record.',
  }),
  TIWALA_AUTHORIZATION_TTL_SECONDS: whole({
    default: 300,
    desc: 'How long the citizen can answer a pending request.',
  }),
  TIWALA_RESULT_TTL_SECONDS: whole({
    default: 3600,
    desc: 'How long a partner can read the profile of an accepted or viewed record.',
  }),
  TIWALA_POLL_INTERVAL_SECONDS: wholeFrom(0)({
    default: 2,
    desc: 'The minimum time between two inquiries about a pending record.',
  }),
  TIWALA_EXCHANGE_CODE_TTL_SECONDS: whole({ default: 60, desc: 'The lifetime of an exchange code.' }),
  TIWALA_ACCESS_TOKEN_TTL_SECONDS: whole({ default: 300, desc: 'The lifetime of an access token.' }),
  TIWALA_SECRET_TTL_DAYS: whole({ default: 365, desc: "The lifetime of a partner's secrets." }),
  TIWALA_CODES_KEPT_HOURS: whole({
    default: 24,
    desc: 'How long used and expired QR values, exchange codes and tokens are kept.',
  }),
  TIWALA_RECORDS_KEPT_DAYS: whole({
    default: 90,
    desc: 'How long records are kept after they ended, without the profile.',
  }),
  TIWALA_DIAGNOSES_KEPT_HOURS: whole({
    default: 24,
    desc: 'How long a partner can ask why the service rejected one of its requests.',
  }),
  TIWALA_DIAGNOSES_PER_MINUTE: whole({
    default: 60,
    desc: 'How many errors of a partner the service explains in a minute. The same number applies separately to requests that only name the partner.',
  }),
  TIWALA_EVENTS_KEPT_DAYS: whole({
    default: 30,
    desc: 'How long events to partners are kept after they were delivered or given up.',
  }),
  TIWALA_SECRET_REMINDER_DAYS: whole({
    default: 30,
    desc: 'How long before a secret expires its partner gets a reminder.',
  }),
  TIWALA_PENDING_PER_CITIZEN: whole({
    default: 5,
    desc: 'How many requests can be pending for one citizen at once.',
  }),
  TIWALA_PENDING_PER_CITIZEN_AND_PARTNER: whole({
    default: 3,
    desc: 'How many requests from one partner can be pending for one citizen at once.',
  }),
  TIWALA_REQUESTS_PER_CITIZEN_AND_HOUR: whole({
    default: 30,
    desc: 'How many requests one citizen can get in an hour.',
  }),
  TIWALA_LONGEST_WAIT_SECONDS: wholeFrom(0)({
    default: 25,
    desc: 'How long an inquiry can wait for a change (`Prefer: wait`).',
  }),
  TIWALA_MOST_WAITING: whole({
    default: 10_000,
    desc: 'How many inquiries can wait in one process. Beyond that, an inquiry gets its response at once.',
  }),
  TIWALA_WAITS_PER_PARTNER: whole({
    default: 200,
    desc: 'How many inquiries of one partner can wait (`Prefer: wait`) in one process. Beyond that, the response is `429`.',
  }),
  TIWALA_WAITS_PER_RECORD: whole({
    default: 5,
    desc: 'How many inquiries of one partner can wait for one record in one process.',
  }),
  TIWALA_STREAMS_PER_CITIZEN: whole({
    default: 5,
    desc: 'How many event streams of one citizen can be open in one process. Beyond that, the response is `429`.',
  }),
  TIWALA_MOST_UNDER_WAY: whole({
    default: 100,
    desc: 'The concurrency limit: how many requests one process handles at once. The default is five for each of the 20 database connections, so that a request with two statements is answered in time even if each statement takes 90 ms (latency = requests in flight / throughput). Inquiries that wait with `Prefer: wait` and event streams do not count.',
  }),
  TIWALA_MOST_QUEUED: wholeFrom(0)({
    default: 1_000,
    desc: 'How many more requests can wait for a slot. Beyond that, the newest request of the caller with the most waiting requests gets `503` at once.',
  }),
  TIWALA_LONGEST_QUEUED_MS: whole({
    default: 500,
    desc: 'How long a request can wait for a slot before it gets `503`.',
  }),
  TIWALA_ANSWER_WITHIN_MS: whole({
    default: 1_000,
    desc: 'The request deadline: how long a request can be in flight before it gets `503`, and how long one of its statements can take in the database. A request that waited for its slot has less time, but at least three quarters of it after the wait.',
  }),
  TIWALA_DRAIN_MS: wholeFrom(0)({
    default: 1_500,
    desc: 'How long a process still responds after SIGTERM. It reports that it is not ready, and closes each connection with the next response. Set it a little longer than the load balancer needs to notice.',
  }),
  TIWALA_REQUESTS_PER_MINUTE: whole({
    default: 120,
    desc: 'Request authorization: the requests per minute of one partner.',
  }),
  TIWALA_VIEWS_PER_MINUTE: whole({
    default: 60,
    desc: 'Profile by QR value: the requests per minute of one partner.',
  }),
  TIWALA_TOKENS_PER_MINUTE: whole({
    default: 120,
    desc: 'Generate token: the requests per minute of one partner.',
  }),
  TIWALA_SIGN_INS_PER_MINUTE: whole({
    default: 120,
    desc: 'SSO authentication: the requests per minute of one partner.',
  }),
  TIWALA_REFUSED_CREDENTIALS_PER_MINUTE: whole({
    default: 60,
    desc: 'How many wrong credentials one address can send with the same code (or token) in a minute, or ten times as many in total, before further wrong credentials get `429`. Valid credentials always work.',
  }),
  TIWALA_ANONYMOUS_REQUESTS_PER_SECOND: whole({
    default: 500,
    desc: 'How many requests one address can send in a second to the routes that need no credentials: pages, documents, downloads and the sandbox. Health checks do not count.',
  }),
}
