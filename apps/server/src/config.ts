import { isIP } from 'node:net'
import type { DocumentName } from '@tiwala/contract'
import { cleanEnv, type CleanedEnv, EnvMissingError, makeValidator, port, str } from 'envalid'

const wholeFrom = (least: number) =>
  makeValidator<number>((input) => {
    const value = Number(input)
    if (input.trim() === '' || !Number.isSafeInteger(value) || value < least)
      throw new Error(`"${input}" is not a whole number of at least ${least}`)
    return value
  })
const whole = wholeFrom(1)
/** Its message never repeats the value: a database's address holds a password. */
const url = makeValidator<string>((input) => {
  if (!URL.canParse(input)) throw new Error('is not a URL')
  return input
})
const proxies = makeValidator<string[]>((input) => {
  const given = input
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean)
  const wrong = given.filter((address) => !isIP(address.replace(/\/\d{1,3}$/, '')))
  if (wrong.length) throw new Error(`"${wrong.join()}" is no address or range such as 10.0.0.0/8`)
  return given
})
const timeZone = makeValidator<string>((input) => new Intl.DateTimeFormat('en', { timeZone: input }).resolvedOptions().timeZone && input)
const DOCUMENTS: readonly DocumentName[] = ['partner', 'citizen-app', 'operator']
const documents = makeValidator<DocumentName[]>((input) => {
  const names = input.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => !(DOCUMENTS as readonly string[]).includes(name))
  if (unknown.length) throw new Error(`"${unknown.join()}": choose among ${DOCUMENTS.join()}`)
  return names as DocumentName[]
})
const live = { default: undefined, requiredWhen: (env: Record<string, unknown>) => env['TIWALA_ENVIRONMENT'] === 'live' }

/** Every setting, read from the environment. `SETTINGS.md` is generated from this table. */
export const SETTINGS = {
  PORT: port({ default: 8080, desc: 'Port to listen on.' }),
  HOST: str({ default: '127.0.0.1', desc: 'Address to listen on.' }),
  DATABASE_URL: url({
    ...live,
    desc: 'PostgreSQL 15 or later, `postgres://user:password@host/database`. Without it an embedded database is used (sandbox only).',
  }),
  TIWALA_DATA_DIR: str({ default: '.tiwala', desc: 'Folder of the embedded database and of the sandbox keys.' }),
  TIWALA_ENVIRONMENT: str({
    choices: ['sandbox', 'live'] as const,
    default: 'sandbox',
    desc: '`sandbox` seeds synthetic citizens and a partner; `live` has none of it and needs every key.',
  }),
  TIWALA_PUBLIC_URL: url({ ...live, desc: 'Where callers reach this service. Default: `http://localhost:$PORT`.' }),
  LOG_LEVEL: str({
    choices: ['silent', 'fatal', 'error', 'warn', 'info', 'debug'] as const,
    default: 'info',
    desc: 'How much is logged, as JSON lines on standard output.',
  }),
  TIWALA_DOCUMENTS: documents({ default: [...DOCUMENTS], desc: 'Which APIs this process serves: any of `partner,citizen-app,operator`.' }),
  TIWALA_KEY_RING: str({ default: undefined, desc: 'The keys, as a JWK set. Live: this or `TIWALA_KEY_RING_FILE` is required.' }),
  TIWALA_KEY_RING_FILE: str({ default: undefined, desc: 'A file that holds the keys (a mounted secret).' }),
  TIWALA_TRUSTED_PROXIES: proxies({
    default: [],
    desc: 'Addresses or ranges of the proxies whose `X-Forwarded-For` is believed, separated by commas.',
  }),
  TIWALA_CITIZEN_ISSUER: url({ ...live, desc: "Issuer of the citizen app's tokens." }),
  TIWALA_CITIZEN_AUDIENCE: str({ default: 'tiwala-citizen', desc: "Audience of the citizen app's tokens." }),
  TIWALA_CITIZEN_JWKS_URL: url({ ...live, desc: "Keys of the citizen app's issuer." }),
  TIWALA_OPERATOR_ISSUER: url({ ...live, desc: "Issuer of the administrators' tokens." }),
  TIWALA_OPERATOR_AUDIENCE: str({ default: 'tiwala-operator', desc: "Audience of the administrators' tokens." }),
  TIWALA_OPERATOR_JWKS_URL: url({ ...live, desc: "Keys of the administrators' issuer." }),
  TIWALA_TIME_ZONE: timeZone({ default: 'Asia/Manila', desc: 'Time zone of `accepted_at`.' }),
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
  TIWALA_REQUESTS_PER_MINUTE: whole({ default: 120, desc: 'Request authorization: how often a partner may call in a minute.' }),
  TIWALA_VIEWS_PER_MINUTE: whole({ default: 60, desc: 'Profile by QR value: likewise.' }),
  TIWALA_TOKENS_PER_MINUTE: whole({ default: 120, desc: 'Generate token: likewise.' }),
  TIWALA_SIGN_INS_PER_MINUTE: whole({ default: 120, desc: 'SSO authentication: likewise.' }),
  TIWALA_REFUSED_CREDENTIALS_PER_MINUTE: whole({
    default: 60,
    desc: 'How many wrong credentials an address may send in a minute before it is held off.',
  }),
}

export type Config = ReturnType<typeof readConfig>

/** The configuration, whole; or an error that names every problem at once. */
export function readConfig(environment: NodeJS.ProcessEnv) {
  const problems: string[] = []
  // To read a setting of `env` that was refused throws: until the problems are told, they are read as they were given.
  const env = cleanEnv(environment, SETTINGS, {
    reporter: ({ errors }) =>
      problems.push(
        ...Object.entries(errors).map(
          ([name, error]) => `${name}: ${error instanceof EnvMissingError ? `is required. ${error.message}` : error?.message}`,
        ),
      ),
  })
  const { TIWALA_ENVIRONMENT, TIWALA_KEY_RING, TIWALA_KEY_RING_FILE } = environment
  if (TIWALA_ENVIRONMENT === 'live' && !TIWALA_KEY_RING && !TIWALA_KEY_RING_FILE)
    problems.push('TIWALA_KEY_RING or TIWALA_KEY_RING_FILE: is required in live')
  if (problems.length)
    throw new Error(
      `These settings are wrong or missing (see apps/server/SETTINGS.md):\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    )
  return toConfig(env)
}

function toConfig(env: CleanedEnv<typeof SETTINGS>) {
  return {
    port: env.PORT,
    host: env.HOST,
    databaseUrl: env.DATABASE_URL,
    dataDir: env.TIWALA_DATA_DIR,
    environment: env.TIWALA_ENVIRONMENT,
    publicUrl: (env.TIWALA_PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/$/, ''),
    logLevel: env.LOG_LEVEL,
    documents: env.TIWALA_DOCUMENTS,
    keyRing: env.TIWALA_KEY_RING,
    keyRingFile: env.TIWALA_KEY_RING_FILE,
    trustedProxies: env.TIWALA_TRUSTED_PROXIES,
    citizenIdentity: { issuer: env.TIWALA_CITIZEN_ISSUER, audience: env.TIWALA_CITIZEN_AUDIENCE, jwksUrl: env.TIWALA_CITIZEN_JWKS_URL },
    operatorIdentity: { issuer: env.TIWALA_OPERATOR_ISSUER, audience: env.TIWALA_OPERATOR_AUDIENCE, jwksUrl: env.TIWALA_OPERATOR_JWKS_URL },
    timeZone: env.TIWALA_TIME_ZONE,
    qrTtlSeconds: env.TIWALA_QR_TTL_SECONDS,
    qrRetrySeconds: env.TIWALA_QR_RETRY_SECONDS,
    authorizationTtlSeconds: env.TIWALA_AUTHORIZATION_TTL_SECONDS,
    resultTtlSeconds: env.TIWALA_RESULT_TTL_SECONDS,
    pollIntervalSeconds: env.TIWALA_POLL_INTERVAL_SECONDS,
    exchangeCodeTtlSeconds: env.TIWALA_EXCHANGE_CODE_TTL_SECONDS,
    accessTokenTtlSeconds: env.TIWALA_ACCESS_TOKEN_TTL_SECONDS,
    secretTtlDays: env.TIWALA_SECRET_TTL_DAYS,
    perMinute: {
      requestAuthorization: env.TIWALA_REQUESTS_PER_MINUTE,
      profileByQr: env.TIWALA_VIEWS_PER_MINUTE,
      generateToken: env.TIWALA_TOKENS_PER_MINUTE,
      authenticate: env.TIWALA_SIGN_INS_PER_MINUTE,
      refusedCredentials: env.TIWALA_REFUSED_CREDENTIALS_PER_MINUTE,
    },
  }
}
