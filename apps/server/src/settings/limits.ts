import { whole } from './validators.ts'

/** Lifetimes, retention times, limits and rates. */
export const LIMITS = {
  TIWALA_QR_TTL_SECONDS: whole('seconds')({ default: 60, desc: 'The lifetime of a QR value.' }),
  TIWALA_QR_RETRY_SECONDS: whole('seconds', { min: 0 })({
    default: 30,
    desc: 'How long the same partner can send a used QR value again and get the same record.',
  }),
  // The limits of pending requests count those of the last day.
  TIWALA_AUTHORIZATION_TTL_SECONDS: whole('seconds', { max: 86_400 })({
    default: 300,
    desc: 'How long the citizen can answer a pending request.',
  }),
  TIWALA_RESULT_TTL_SECONDS: whole('seconds')({
    default: 3600,
    desc: 'How long a partner can read the profile of an accepted or viewed record.',
  }),
  TIWALA_POLL_INTERVAL_SECONDS: whole('seconds', { min: 0 })({
    default: 2,
    desc: 'The minimum time between two inquiries about a pending record.',
  }),
  TIWALA_EXCHANGE_CODE_TTL_SECONDS: whole('seconds')({
    default: 60,
    desc: 'The lifetime of an exchange code.',
  }),
  TIWALA_ACCESS_TOKEN_TTL_SECONDS: whole('seconds')({
    default: 300,
    desc: 'The lifetime of an access token.',
  }),
  TIWALA_SECRET_TTL_DAYS: whole('days')({ default: 365, desc: "The lifetime of a partner's secrets." }),
  // The workbench repeats a rotation without a response for nine minutes.
  TIWALA_IDEMPOTENCY_KEY_TTL_SECONDS: whole('seconds', { min: 600 })({
    default: 900,
    desc: 'How long a request with the same `Idempotency-Key` gets the same response, which shows a secret.',
  }),
  TIWALA_CODES_KEPT_HOURS: whole('hours')({
    default: 24,
    desc: 'How long used and expired QR values, exchange codes and tokens are kept.',
  }),
  TIWALA_RECORDS_KEPT_DAYS: whole('days')({
    default: 90,
    desc: 'How long records are kept after they ended, without the profile.',
  }),
  TIWALA_DIAGNOSES_KEPT_HOURS: whole('hours')({
    default: 24,
    desc: 'How long a partner can ask why the service rejected one of its requests.',
  }),
  TIWALA_DIAGNOSES_PER_MINUTE: whole('count')({
    default: 60,
    desc:
      'How many errors of a partner the service explains in a minute. ' +
      'The same number applies separately to requests that only name the partner.',
  }),
  TIWALA_EVENTS_KEPT_DAYS: whole('days')({
    default: 30,
    desc: 'How long events to partners are kept after they were delivered or given up.',
  }),
  TIWALA_REQUESTS_KEPT_DAYS: whole('days', { max: 3_660 })({
    default: 30,
    desc: 'How long the workbench and the console show the requests of a partner.',
  }),
  TIWALA_APPROVAL_DAYS: whole('days', { max: 366 })({
    default: 7,
    desc: 'How many days a change waits for a second person before it expires.',
  }),
  // The last use of a session is stored at most once a minute, so a limit of one minute could end a session in use.
  TIWALA_SESSION_IDLE_MINUTES: whole('count', { min: 2, max: 1_440 })({
    default: 15,
    desc: 'After how many minutes without a request a session of the workbench or the console ends.',
  }),
  TIWALA_SESSION_HOURS: whole('hours', { max: 168 })({
    default: 8,
    desc: 'After how many hours a session of the workbench or the console ends at the latest.',
  }),
  TIWALA_SECRET_REMINDER_DAYS: whole('days')({
    default: 30,
    desc: 'How long before a secret expires its partner gets a reminder.',
  }),
  TIWALA_PENDING_PER_CITIZEN: whole('count')({
    default: 5,
    desc: 'How many requests can be pending for one citizen at once.',
  }),
  TIWALA_PENDING_PER_CITIZEN_AND_PARTNER: whole('count')({
    default: 3,
    desc: 'How many requests from one partner can be pending for one citizen at once.',
  }),
  TIWALA_REQUESTS_PER_CITIZEN_AND_HOUR: whole('count')({
    default: 30,
    desc: 'How many requests one citizen can get in an hour.',
  }),
  TIWALA_DISCLOSURES_PER_RECORD_AND_HOUR: whole('count')({
    default: 60,
    desc:
      'How often a partner can read the profile of one record in an hour, in one process. Each time is a line ' +
      'in the history of the citizen for good. Beyond that, the response is `429`.',
  }),
  TIWALA_WRITES_PER_CITIZEN_AND_MINUTE: whole('count')({
    default: 60,
    desc:
      'How often the app of one citizen can call each operation that changes something (QR values, exchange ' +
      'codes, answers, preferences, disputes) in a minute, in one process. Beyond that, the response is `429`.',
  }),
  TIWALA_MAX_WAIT_SECONDS: whole('seconds', { min: 0, max: 3_600 })({
    default: 25,
    desc: 'How long an inquiry can wait for a change (`Prefer: wait`).',
  }),
  TIWALA_MAX_WAITING: whole('count')({
    default: 10_000,
    desc:
      'How many inquiries (`Prefer: wait`) and event streams can wait in one process, counted together. ' +
      'Beyond that, an inquiry gets its response at once, and a new event stream gets `503`. As many pages of ' +
      'sign-ins by OpenID Connect can wait beside them; further ones ask every two seconds.',
  }),
  TIWALA_WAITS_PER_PARTNER: whole('count')({
    default: 200,
    desc:
      'How many inquiries of one partner can wait (`Prefer: wait`) in one process. ' +
      'Beyond that, the response is `429`.',
  }),
  TIWALA_WAITS_PER_RECORD: whole('count')({
    default: 5,
    desc:
      'How many inquiries of one partner can wait for one record in one process. ' +
      'Beyond that, the response is `429`.',
  }),
  TIWALA_STREAMS_PER_CITIZEN: whole('count')({
    default: 5,
    desc:
      'How many event streams of one citizen can be open in one process. ' +
      'Beyond that, the response is `429`.',
  }),
  TIWALA_MAX_IN_FLIGHT: whole('count')({
    default: 100,
    desc:
      'The concurrency limit: how many requests one process handles at once. The default is five for each ' +
      'of the 20 database connections, so that a request with two statements is answered in time even if ' +
      'each statement takes 90 ms (latency = requests in flight / throughput). Inquiries that wait with ' +
      '`Prefer: wait` and event streams do not count. As many more can be authenticated at once. Requests to ' +
      '`/oidc` have slots of their own, a quarter as many.',
  }),
  TIWALA_MAX_QUEUED: whole('count', { min: 0 })({
    default: 1_000,
    desc:
      'How many more requests can wait for a slot, and how many for authentication. ' +
      'Beyond that, the newest request of the caller with the most waiting requests gets `503` at once.',
  }),
  TIWALA_MAX_QUEUED_MS: whole('milliseconds')({
    default: 500,
    desc: 'How long a request can wait for a slot before it gets `503`.',
  }),
  TIWALA_REQUEST_DEADLINE_MS: whole('milliseconds')({
    default: 1_000,
    desc:
      'The request deadline: how long a request can take before it gets `503`, and how long one of its ' +
      'statements can take in the database, a quarter of it for a lock. It begins when the body is read. A ' +
      'request that waited for its slot has three quarters of it left at least.',
  }),
  TIWALA_KEEP_ALIVE_SECONDS: whole('seconds', { max: 3_600 })({
    default: 620,
    desc:
      'How long an idle connection stays open. Set it longer than your proxy or load balancer keeps one ' +
      '(many keep it for 600 s), which otherwise may send a request while the service closes the connection.',
  }),
  TIWALA_DRAIN_MS: whole('milliseconds', { min: 0 })({
    default: 1_500,
    desc:
      'How long a process still responds after SIGTERM. It reports that it is not ready, and closes each ' +
      'connection with the next response. Set it a little longer than the load balancer needs to notice.',
  }),
  TIWALA_REQUESTS_PER_MINUTE: whole('count')({
    default: 120,
    desc: 'Request authorization: the requests per minute of one partner.',
  }),
  TIWALA_VIEWS_PER_MINUTE: whole('count')({
    default: 60,
    desc: 'Profile by QR value: the requests per minute of one partner.',
  }),
  TIWALA_TOKENS_PER_MINUTE: whole('count')({
    default: 120,
    desc: 'Generate token: the requests per minute of one partner.',
  }),
  TIWALA_SIGN_INS_PER_MINUTE: whole('count')({
    default: 120,
    desc: 'SSO authentication: the requests per minute of one partner.',
  }),
  TIWALA_REFUSED_CREDENTIALS_PER_MINUTE: whole('count')({
    default: 60,
    desc:
      'How many wrong credentials one address can send with the same code (or token) in a minute, or ten ' +
      'times as many in total, before further wrong credentials get `429`. Valid credentials always work.',
  }),
  TIWALA_ANONYMOUS_REQUESTS_PER_SECOND: whole('count')({
    default: 500,
    desc:
      'How many requests one address can send in a second to the routes that need no credentials: pages, ' +
      'documents and downloads. Health checks do not count. The routes of sign-in by OpenID Connect count. ' +
      'Those of the sandbox count, too. ' +
      'An address also gets at most 8 MiB of pages in a second.',
  }),
  TIWALA_SANDBOX_HOURS: whole('hours')({
    default: 24,
    desc: 'Sandbox only: how long a sandbox of the page `/sandbox/` or of `POST /sandbox` lives.',
  }),
  TIWALA_SANDBOXES: whole('count')({
    default: 1_000,
    desc: 'Sandbox only: how many such sandboxes can exist. Beyond that, `POST /sandbox` gets `503`.',
  }),
  TIWALA_SANDBOXES_PER_ADDRESS: whole('count')({
    default: 50,
    desc:
      'Sandbox only: how many such sandboxes one address can have. ' +
      'Beyond that, `POST /sandbox` gets `429`.',
  }),
  TIWALA_SANDBOXES_PER_NETWORK: whole('count')({
    default: 200,
    desc:
      'Sandbox only: how many such sandboxes one network can have: the 256 addresses that share the first ' +
      'three numbers of an IPv4 address, or the first 48 bits of an IPv6 address. ' +
      'Beyond that, `POST /sandbox` gets `429`.',
  }),
}
