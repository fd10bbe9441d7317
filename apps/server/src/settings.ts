import { bool, str } from 'envalid'
import { CONNECTIONS, CONNECTIONS_PER_PROCESS, REPLICA_CONNECTIONS } from './database/session.ts'
import { isRelease } from './program.ts'
import { LIMITS } from './settings/limits.ts'
import {
  absolutePath,
  anomalyActions,
  appLink,
  databaseUrl,
  DOCUMENTS,
  documents,
  goingLiveKeys,
  host,
  namedPaths,
  operatorAddress,
  origin,
  privateNetworks,
  proxies,
  secondPerson,
  text,
  timeZone,
  url,
  whole,
  words,
} from './settings/validators.ts'

const live = {
  default: undefined,
  requiredWhen: (env: Record<string, unknown>) => env['TIWALA_ENVIRONMENT'] === 'live',
}

/** Every setting, read from the environment. `SETTINGS.md` is generated from this table, in groups (`generate-settings.ts`). */
export const SETTINGS = {
  TIWALA_ENVIRONMENT: str({
    choices: ['sandbox', 'live'] as const,
    default: 'sandbox',
    desc:
      'The environment. `sandbox` creates synthetic citizens and a partner. ' +
      '`live` creates none of them and needs every key.',
  }),
  TIWALA_PUBLIC_URL: origin({
    ...live,
    desc:
      'The URL at which callers reach this service, for example in the links of error responses. ' +
      'Default: `http://localhost:$PORT`. ' +
      'Live: must be `https`.',
  }),
  PORT: whole('count', { max: 65_535 })({ default: 8080, desc: 'The port to listen on.' }),
  HOST: host({ default: '127.0.0.1', desc: 'The address to listen on.' }),
  TIWALA_REUSE_PORT: bool({
    default: false,
    desc:
      'Whether several processes of this machine share `HOST` and `PORT` (`SO_REUSEPORT`, for example on ' +
      'Linux). Each of them needs a `TIWALA_OPERATOR_ADDRESS` of its own. ' +
      'Without this setting, a port in use stops the start.',
  }),
  TIWALA_OPERATOR_ADDRESS: operatorAddress({
    default: undefined,
    desc:
      'The address on which the operator API and its document listen. `host:port`: a separate address, which also has ' +
      'the metrics, and has only these if `TIWALA_DOCUMENTS` lacks `operator`. ' +
      '`shared`: `HOST` and `PORT`, like the other APIs. ' +
      'Default in live: `127.0.0.1:8081`. Default in the sandbox: `shared`.',
  }),
  TIWALA_TRUSTED_PROXIES: proxies({
    default: [],
    desc:
      'The addresses or ranges of the trusted proxies, separated by commas. The service believes only ' +
      'their `X-Forwarded-For`. Without this setting, all callers behind a proxy count as one address. ' +
      'Live: required, since TLS ends at a proxy.',
  }),
  TIWALA_CALLBACK_NETWORKS: privateNetworks({
    default: [],
    desc:
      'The private networks in which the servers of partners may be, for example `10.20.0.0/16,fd12:3456::/48`. ' +
      'Events go to them as to public addresses, by `https`. In a sandbox, each visitor can send events there. ' +
      'Loopback, link-local and cloud metadata addresses are never allowed. ' +
      'Default: events go to public addresses only.',
  }),
  TIWALA_CITIZEN_APP_URL: appLink({
    default: undefined,
    desc:
      'The address that opens the citizen app on the device of the browser. The page of a sign-in adds the parameter ' +
      '`code` to it. Default: `tiwala://sign-in`. In the sandbox, the default is a page that answers for a citizen.',
  }),
  TIWALA_DOCUMENTS: documents({
    default: [...DOCUMENTS],
    desc: 'The APIs that this process serves: any of `partner,citizen-app,workbench,operator`, separated by commas.',
  }),
  TIWALA_TIME_ZONE: timeZone({
    default: 'Asia/Manila',
    desc:
      'The time zone of `accepted_at`, of the day of a daily quota, and of the day on which a secret was ' +
      'last used.',
  }),
  DATABASE_URL: databaseUrl({
    ...live,
    requiredWhen: (env: Record<string, unknown>) => isRelease || live.requiredWhen(env),
    desc:
      'The PostgreSQL database (version 15 or later): `postgres://user:password@host/database`. ' +
      `Each process opens ${CONNECTIONS_PER_PROCESS} connections, never through a pooler (see \`TIWALA_POOLER_URL\`). ` +
      'Default: an embedded database (only in the sandbox of the repository, not in a release).',
  }),
  TIWALA_POOLER_URL: databaseUrl({
    default: undefined,
    desc:
      'A PgBouncer in transaction mode in front of the database of `DATABASE_URL`, for the ' +
      `${CONNECTIONS.requests} connections of each process that serve requests. The start says what its ` +
      '`pgbouncer.ini` needs. Default: these connections, too, lead to `DATABASE_URL`.',
  }),
  TIWALA_REPLICA_URL: databaseUrl({
    default: undefined,
    desc:
      'A standby of the database of `DATABASE_URL` that follows it by streaming replication. The lists of deliveries and ' +
      'disputes, what partners use, and all that reads the audit for administrators then come ' +
      `from it, over ${REPLICA_CONNECTIONS} connections of each process. Default: they, too, come from \`DATABASE_URL\`.`,
  }),
  TIWALA_DATABASE_WITHOUT_TLS: str({
    default: undefined,
    desc:
      'The hosts, separated by commas, of a remote PostgreSQL, standby and PgBouncer that live may use without TLS that ' +
      'verifies the server. ' +
      'Without this setting, live refuses such a connection. Loopback hosts and Unix sockets need no TLS.',
  }),
  TIWALA_DATA_DIR: text({
    default: '.tiwala',
    desc: 'The folder of the embedded database and of the sandbox keys.',
  }),
  TIWALA_AUDIT_ARCHIVE_DIR: absolutePath({
    default: undefined,
    desc:
      'The absolute path of the folder to which `tiwala audit archive` moves closed months of the audit. Every process ' +
      'must reach it, and only the command writes to it. Without it, what is in the archive answers `503`.',
  }),
  TIWALA_BACKUP_FILES: namedPaths({
    default: [],
    desc:
      'Files and folders whose age the metrics show (`tiwala_backup_age_seconds`), so that an alert notices when backups ' +
      'or exports of the audit stop: `export:/var/backups/tiwala-export.done,base:/var/backups/tiwala-base.done`. Let each ' +
      'job touch its file when it has succeeded: the time of a folder also changes when a backup fails. The service ' +
      'does not open them.',
  }),
  TIWALA_KEY_RING: str({
    default: undefined,
    desc: 'The keys, as a JWK set. Live: this setting or `TIWALA_KEY_RING_FILE` is required.',
  }),
  TIWALA_KEY_RING_FILE: str({
    default: undefined,
    desc:
      'The file with the keys (a mounted secret). Live: no other user may read the file. A group may read ' +
      'it only if the file belongs to another user (mode `0600`, or `0440` of `root` and a group of the ' +
      'service).',
  }),
  TIWALA_GOING_LIVE_KEYS_FILE: goingLiveKeys({
    default: undefined,
    desc:
      'The file with the keys that sign reports for going live, as `tiwala audit keys --json` prints them for the service ' +
      'where partners test. With this setting, a new partner is suspended until an administrator accepts its report and ' +
      'resumes it. The file is read at the start. Default: a new partner is active.',
  }),
  LOG_LEVEL: str({
    choices: ['silent', 'fatal', 'error', 'warn', 'info', 'debug'] as const,
    default: 'info',
    desc: 'The log level. The log is JSON lines on standard output.',
  }),
  TIWALA_OTLP_URL: url({
    default: undefined,
    desc:
      'The OpenTelemetry collector to which spans and metrics are sent (OTLP over HTTP, as JSON), such as ' +
      '`http://127.0.0.1:4318`. Default: none, and the packages of OpenTelemetry are not loaded. Their own variables ' +
      '(`OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_BSP_SCHEDULE_DELAY` and so on) count, too.',
  }),
  TIWALA_TRACED_PER_THOUSAND: whole('count', { max: 1_000 })({
    default: 100,
    desc: 'With `TIWALA_OTLP_URL`: of how many requests in a thousand the spans are sent.',
  }),
  TIWALA_CITIZEN_ISSUER: url({
    ...live,
    desc:
      "The issuer of the citizen app's tokens. Live: must be `https`, or `http` on a loopback host. The " +
      'same applies to `TIWALA_CITIZEN_JWKS_URL`, `TIWALA_OPERATOR_ISSUER` and `TIWALA_OPERATOR_JWKS_URL`.',
  }),
  TIWALA_CITIZEN_AUDIENCE: text({
    default: 'tiwala-citizen',
    desc: "The audience of the citizen app's tokens.",
  }),
  TIWALA_CITIZEN_JWKS_URL: url({ ...live, desc: "The URL of the keys of the citizen app's issuer." }),
  TIWALA_ACR_VALUES: words({
    default: ['low', 'substantial', 'high'],
    desc:
      "The values of the claim `acr` in the citizen app's tokens, separated by commas, the weakest first. A purpose of " +
      'sign-in, or a partner, can demand one of them or a stronger one. A token without `acr`, or with another value, ' +
      'reaches none of them.',
  }),
  TIWALA_IDENTITY_TOKEN_MAX_HOURS: whole('hours')({
    default: 24,
    desc:
      "The maximum lifetime (`exp` minus `iat`) of an issuer's token. " +
      'The service rejects a token with a longer lifetime.',
  }),
  TIWALA_IDENTITY_KEYS_KEPT_HOURS: whole('hours')({
    default: 24,
    desc:
      'How long the last fetched keys of an issuer stay in use while its JWKS URL cannot be reached. ' +
      'After that, requests with its tokens get `503`.',
  }),
  TIWALA_OPERATOR_ISSUER: url({ ...live, desc: "The issuer of the administrators' tokens." }),
  TIWALA_OPERATOR_AUDIENCE: text({
    default: 'tiwala-operator',
    desc: "The audience of the administrators' tokens.",
  }),
  TIWALA_OPERATOR_JWKS_URL: url({ ...live, desc: "The URL of the keys of the administrators' issuer." }),
  TIWALA_CONSOLE_CLIENT_ID: text({
    default: undefined,
    desc:
      'The client id of this service at `$TIWALA_OPERATOR_ISSUER`, for the sign-in to the console (OpenID Connect, with ' +
      'discovery). Register `$TIWALA_CONSOLE_URL/console/callback` there as the redirect URI. Default: the console has ' +
      'no sign-in. In a sandbox on your own machine, it has a built-in provider.',
  }),
  TIWALA_CONSOLE_CLIENT_SECRET: text({
    default: undefined,
    desc: 'The client secret of this service at that provider. Default: a public client, which PKCE alone protects.',
  }),
  TIWALA_CONSOLE_SCOPE: text({
    default: undefined,
    desc:
      'The `scope` of a sign-in to the console. The access token that follows must be valid for the operator API. ' +
      'Default: `openid email` and all scopes of the operator API.',
  }),
  TIWALA_CONSOLE_URL: origin({
    default: undefined,
    desc:
      'The address at which the browsers of administrators reach `$TIWALA_OPERATOR_ADDRESS`. Live: must be `https`, ' +
      'except on a loopback host. Default: that address itself, if it is one of this machine.',
  }),
  TIWALA_SECOND_PERSON: secondPerson({
    default: undefined,
    desc:
      'What waits for a second person, separated by commas. `settings`: a change by a member of a partner that widens ' +
      'access. Of the acts of an administrator: `suspension` and `resumption` of a partner, `scope` (a further scope of a ' +
      'partner), `going_live` (a report is accepted), `erasure` of a citizen. `none`: nothing waits. Default in live: ' +
      '`settings`. Default in the sandbox: `none`.',
  }),
  TIWALA_ANOMALY_ACTIONS: anomalyActions({
    default: undefined,
    desc:
      'What the service does by itself when the behavior of a partner becomes unusual, for example ' +
      '`rate:slow,disputes:suspend`. Kinds: `rate`, `night`, `refusals`, `declines`, `disputes`, `address`. `slow`: a ' +
      'quarter of the limits per minute applies while it lasts. `suspend`: the partner is suspended until an ' +
      'administrator resumes it. Default: nothing; the metric and `tiwala anomaly list` show it.',
  }),
  TIWALA_STAFF_ISSUER: url({
    default: undefined,
    desc:
      "The issuer of the identity provider at which the partners' people sign in to the workbench (OpenID Connect, with " +
      'discovery). Register `$TIWALA_PUBLIC_URL/workbench/callback` there as the redirect URI. Live: must be `https`. ' +
      'Default: the workbench has no sign-in. In the sandbox, it has a built-in provider.',
  }),
  TIWALA_STAFF_CLIENT_ID: text({
    default: 'tiwala-workbench',
    desc: 'The client id of this service at that provider, which is the audience of its ID tokens.',
  }),
  TIWALA_STAFF_CLIENT_SECRET: text({
    default: undefined,
    desc: 'The client secret of this service at that provider. Default: a public client, which PKCE alone protects.',
  }),
  TIWALA_STAFF_EMAIL_CLAIM: text({
    default: 'email',
    desc:
      'The claim of the ID token with the email address, by which an invitation finds its person at the first sign-in. ' +
      '`email` counts only with `email_verified`. Name another claim only if the provider verifies it itself.',
  }),
  TIWALA_STAFF_JWKS_URL: url({
    default: undefined,
    desc:
      "The URL of the keys of `$TIWALA_STAFF_ISSUER`, for the access tokens of the partners' command line. Live: must be " +
      '`https`. Default: tokens are refused. The sandbox accepts its own tokens only.',
  }),
  TIWALA_STAFF_AUDIENCE: text({
    default: 'tiwala-workbench-api',
    desc: 'The audience of those access tokens. It must not be `$TIWALA_STAFF_CLIENT_ID`, the audience of ID tokens.',
  }),
  ...LIMITS,
}
