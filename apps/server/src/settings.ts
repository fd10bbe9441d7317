import { isIP } from 'node:net'
import type { DocumentName } from '@tiwala/contract'
import { makeValidator, port, str } from 'envalid'
import { CONNECTIONS_PER_PROCESS } from './database/session.ts'

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
const timeZone = makeValidator<string>((input) => new Intl.DateTimeFormat('en', { timeZone: input }).resolvedOptions().timeZone && input)
const DOCUMENTS: readonly DocumentName[] = ['partner', 'citizen-app', 'operator']
const documents = makeValidator<DocumentName[]>((input) => {
  const names = input.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => !(DOCUMENTS as readonly string[]).includes(name))
  if (unknown.length) throw new Error(`"${unknown.join()}" is not one of ${DOCUMENTS.join()}`)
  return names as DocumentName[]
})
export type Address = { host: string; port: number }
/** Parses `host:port`; an IPv6 host is in brackets. */
export function readAddress(input: string): Address | undefined {
  const [, host, number] = /^(\[[\da-fA-F:.]+\]|[\w.-]+):(\d{1,5})$/.exec(input) ?? []
  if (!host || Number(number) < 1 || Number(number) > 65_535) return undefined
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(number) }
}
const operatorAddress = makeValidator<string>((input) => {
  if (input !== 'shared' && !readAddress(input)) throw new Error(`"${input}" is not host:port, such as 127.0.0.1:8081, or shared`)
  return input
})
const live = { default: undefined, requiredWhen: (env: Record<string, unknown>) => env['TIWALA_ENVIRONMENT'] === 'live' }

/** Every setting, read from the environment. `SETTINGS.md` is generated from this table. */
export const SETTINGS = {
  PORT: port({ default: 8080, desc: 'Port to listen on.' }),
  HOST: str({ default: '127.0.0.1', desc: 'Address to listen on.' }),
  DATABASE_URL: url({
    ...live,
    desc: `PostgreSQL 15 or later, \`postgres://user:password@host/database\`, with ${CONNECTIONS_PER_PROCESS} connections for each process, and not through a pooler. Without it an embedded database is used (sandbox only).`,
  }),
  TIWALA_DATABASE_WITHOUT_TLS: str({
    default: undefined,
    desc: 'Host of a remote PostgreSQL that live may reach without TLS that verifies the server. By itself live refuses one; loopback hosts and Unix sockets need no TLS.',
  }),
  TIWALA_PROCESSES: whole({
    default: 1,
    desc: 'How many processes serve on this machine, together on one port. More than one needs PostgreSQL.',
  }),
  TIWALA_DATA_DIR: str({ default: '.tiwala', desc: 'Folder of the embedded database and of the sandbox keys.' }),
  TIWALA_ENVIRONMENT: str({
    choices: ['sandbox', 'live'] as const,
    default: 'sandbox',
    desc: '`sandbox` seeds synthetic citizens and a partner; `live` has none of it and needs every key.',
  }),
  TIWALA_PUBLIC_URL: url({ ...live, desc: 'Where callers reach this service. Default: `http://localhost:$PORT`. Live: `https`.' }),
  LOG_LEVEL: str({
    choices: ['silent', 'fatal', 'error', 'warn', 'info', 'debug'] as const,
    default: 'info',
    desc: 'How much is logged, as JSON lines on standard output.',
  }),
  TIWALA_DOCUMENTS: documents({ default: [...DOCUMENTS], desc: 'Which APIs this process serves: any of `partner,citizen-app,operator`.' }),
  TIWALA_OPERATOR_ADDRESS: operatorAddress({
    default: undefined,
    desc: 'Where the operator API and its document listen, apart from the others: `host:port`; or `shared`, on `HOST` and `PORT` like the others. Default: `127.0.0.1:8081` in live, `shared` in the sandbox.',
  }),
  TIWALA_KEY_RING: str({ default: undefined, desc: 'The keys, as a JWK set. Live: this or `TIWALA_KEY_RING_FILE` is required.' }),
  TIWALA_KEY_RING_FILE: str({
    default: undefined,
    desc: 'A file that holds the keys (a mounted secret). Live: no other user may read it; a group may only where the file belongs to another user (mode `0600`, or `0440` of `root` and a group of the service).',
  }),
  TIWALA_TRUSTED_PROXIES: proxies({
    default: [],
    desc: 'Addresses or ranges of the proxies whose `X-Forwarded-For` is believed, separated by commas. Without them, all callers behind a proxy count as one address.',
  }),
  TIWALA_CITIZEN_ISSUER: url({
    ...live,
    desc: "Issuer of the citizen app's tokens. Live: `https`, or `http` on a loopback host; likewise the next three URLs.",
  }),
  TIWALA_CITIZEN_AUDIENCE: str({ default: 'tiwala-citizen', desc: "Audience of the citizen app's tokens." }),
  TIWALA_CITIZEN_JWKS_URL: url({ ...live, desc: "Keys of the citizen app's issuer." }),
  TIWALA_OPERATOR_ISSUER: url({ ...live, desc: "Issuer of the administrators' tokens." }),
  TIWALA_OPERATOR_AUDIENCE: str({ default: 'tiwala-operator', desc: "Audience of the administrators' tokens." }),
  TIWALA_OPERATOR_JWKS_URL: url({ ...live, desc: "Keys of the administrators' issuer." }),
  TIWALA_IDENTITY_TOKEN_MAX_HOURS: whole({
    default: 24,
    desc: "Longest life (`exp` minus `iat`) of an issuer's tokens; one that lives longer is refused.",
  }),
  TIWALA_IDENTITY_KEYS_KEPT_HOURS: whole({
    default: 24,
    desc: 'How long the last fetched keys of an issuer stay in use while its JWKS URL cannot be reached. Then its tokens are answered `503`.',
  }),
  TIWALA_TIME_ZONE: timeZone({
    default: 'Asia/Manila',
    desc: 'Time zone of `accepted_at`, of the day of a daily quota and of the day on which a secret was last used.',
  }),
  TIWALA_QR_TTL_SECONDS: whole({ default: 60, desc: 'Life of a QR value.' }),
  TIWALA_QR_RETRY_SECONDS: wholeFrom(0)({
    default: 30,
    desc: 'How long the same partner may send a used QR value again and get the same record.',
  }),
  TIWALA_AUTHORIZATION_TTL_SECONDS: whole({ default: 300, desc: 'How long the citizen may answer.' }),
  TIWALA_RESULT_TTL_SECONDS: whole({ default: 3600, desc: 'How long a given profile can be read.' }),
  TIWALA_POLL_INTERVAL_SECONDS: wholeFrom(0)({ default: 2, desc: 'How soon a pending record may be asked for again.' }),
  TIWALA_EXCHANGE_CODE_TTL_SECONDS: whole({ default: 60, desc: 'Life of an exchange code.' }),
  TIWALA_ACCESS_TOKEN_TTL_SECONDS: whole({ default: 300, desc: 'Life of an access token.' }),
  TIWALA_SECRET_TTL_DAYS: whole({ default: 365, desc: "Life of a partner's secrets." }),
  TIWALA_CODES_KEPT_HOURS: whole({ default: 24, desc: 'How long used and expired QR values, exchange codes and tokens are kept.' }),
  TIWALA_RECORDS_KEPT_DAYS: whole({ default: 90, desc: 'How long records are kept after they ended, without the profile.' }),
  TIWALA_DIAGNOSES_KEPT_HOURS: whole({ default: 24, desc: 'How long a partner can ask why a request of theirs was refused.' }),
  TIWALA_DIAGNOSES_PER_MINUTE: whole({
    default: 60,
    desc: 'How many refusals of a partner are explained in a minute; as many again of requests that only name the partner.',
  }),
  TIWALA_EVENTS_KEPT_DAYS: whole({ default: 30, desc: 'How long events to partners are kept once they are delivered or given up.' }),
  TIWALA_SECRET_REMINDER_DAYS: whole({ default: 30, desc: 'How long before a secret expires its partner is told.' }),
  TIWALA_PENDING_PER_CITIZEN: whole({ default: 5, desc: 'How many requests may wait for one citizen at once.' }),
  TIWALA_PENDING_PER_CITIZEN_AND_PARTNER: whole({ default: 3, desc: 'How many of them from one partner.' }),
  TIWALA_REQUESTS_PER_CITIZEN_AND_HOUR: whole({ default: 30, desc: 'How many requests may be put to one citizen in an hour.' }),
  TIWALA_LONGEST_WAIT_SECONDS: wholeFrom(0)({ default: 25, desc: 'How long an inquiry may wait for a change (`Prefer: wait`).' }),
  TIWALA_MOST_WAITING: whole({ default: 10_000, desc: 'How many inquiries may wait in this process; beyond, they are answered at once.' }),
  TIWALA_WAITS_PER_PARTNER: whole({
    default: 200,
    desc: 'How many inquiries of one partner may wait (`Prefer: wait`) in this process; beyond, they are answered `429`.',
  }),
  TIWALA_WAITS_PER_RECORD: whole({ default: 5, desc: 'How many of them may wait for one record.' }),
  TIWALA_STREAMS_PER_CITIZEN: whole({
    default: 5,
    desc: 'How many event streams of one citizen may be open in this process; beyond, another is answered `429`.',
  }),
  TIWALA_MOST_UNDER_WAY: whole({
    default: 100,
    desc: 'How many requests are worked on at once in this process: five for each of the 20 database connections, so that one of two statements is answered in time even when each statement takes 90 ms (latency = requests under way / throughput). Who waits with `Prefer: wait` or listens to events does not count.',
  }),
  TIWALA_MOST_QUEUED: wholeFrom(0)({
    default: 1_000,
    desc: 'How many more may wait for a slot. Beyond, the last one of the caller that has most of them waiting is answered `503` at once.',
  }),
  TIWALA_LONGEST_QUEUED_MS: whole({ default: 500, desc: 'How long one may wait for a slot before it is answered `503`.' }),
  TIWALA_ANSWER_WITHIN_MS: whole({
    default: 1_000,
    desc: 'How long one is in flight before it is answered `503`, and how long one statement of it may take in the database. One that waited for its slot has less, but three quarters of it at least when its wait is over.',
  }),
  TIWALA_DRAIN_MS: wholeFrom(0)({
    default: 1_500,
    desc: 'How long a process that was told to end (SIGTERM) still answers: not ready, and closing each connection with its next answer. A little longer than the load balancer takes to notice.',
  }),
  TIWALA_REQUESTS_PER_MINUTE: whole({ default: 120, desc: 'Request authorization: how often a partner may call in a minute.' }),
  TIWALA_VIEWS_PER_MINUTE: whole({ default: 60, desc: 'Profile by QR value: likewise.' }),
  TIWALA_TOKENS_PER_MINUTE: whole({ default: 120, desc: 'Generate token: likewise.' }),
  TIWALA_SIGN_INS_PER_MINUTE: whole({ default: 120, desc: 'SSO authentication: likewise.' }),
  TIWALA_REFUSED_CREDENTIALS_PER_MINUTE: whole({
    default: 60,
    desc: 'How many wrong credentials an address may send with the same code (or token) in a minute, and ten times as many in total, before a wrong one is answered `429`. A valid credential always gets through.',
  }),
  TIWALA_ANONYMOUS_REQUESTS_PER_SECOND: whole({
    default: 500,
    desc: 'How many requests an address may send in a second to the routes that need no credentials: pages, documents, downloads and the sandbox. Health checks do not count.',
  }),
}
