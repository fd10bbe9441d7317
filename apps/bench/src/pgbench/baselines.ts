// The baselines: pgbench runs the statements that the service sends for a request. Each needs a database of
// its own, because the service would seal the audit rows that pgbench writes. Each value that must differ in
// every transaction contains a number, which a variable of pgbench can hold.
import { bearer, partnerApi } from '@tiwala/kit/users'
import { onServer } from '@tiwala/server/testing-database'
import type { Bench } from '../bench.ts'
import { journeysPerRound } from '../benchmarks/jobs.ts'
import { issueExchangeCodes } from '../fixtures/create-fixtures.ts'
import { captureStatements, toScript } from './capture-statements.ts'
import { CLIENTS, pgbenchVersion, runPgbench } from './run-pgbench.ts'

/** Start of a range of ids that no other rows use. */
const FIRST_RECORD_ID = 1_000_000_000_000

/** The task of inquire. Returns no task if pgbench is not installed. */
export async function inquireBaseline(bench: Bench) {
  if (!pgbenchVersion()) return []
  const { fixtures, plan } = bench
  const databaseUrl = await bench.openDatabase('inquire_baseline')
  const { tracking_no, id } = fixtures.acceptedResponses[0]!.data
  // The records of pgbench are of the same second: the statement names the day.
  const prefix = `${tracking_no.slice(0, 9)}PGBENCH`
  const statements = await captureStatements(bench, databaseUrl, async (origin, capture) => {
    const partner = partnerApi(origin, fixtures.partnerHeaders)
    const inquire = () => partner('inquire', { query: { tracking_no } })
    // The first use of a secret on a day sends one more statement, which stores the date.
    await inquire()
    return capture(inquire)
  })
  await onServer(databaseUrl, (client) => client.query(INSERT_RECORDS, [plan.acceptedRecords, prefix]))
  const replacements = new Map<unknown, string>([
    [tracking_no, `'${prefix}' || :n`],
    [id, `${FIRST_RECORD_ID} + :n`],
  ])
  const script = `\\set n random(1, ${plan.acceptedRecords})\n${toScript(statements, replacements)}`
  const measure = async () => ({
    perSecond: await runPgbench(bench, databaseUrl, script, ['-T', String(plan.seconds)], {
      count: "select count(*) from audit_event where tracking_no like '%PGBENCH%'",
      minimum: 1,
    }),
  })
  return [{ name: "pgbench, the service's statements", hasNoWarmUpRound: true, measure }]
}

/**
 * Accepted records: copies of a real one, each of a different citizen. Their snapshots cannot be decrypted,
 * and pgbench does not decrypt.
 */
const INSERT_RECORDS = `
  insert into authorization_record
         (id, partner_id, citizen_id, tracking_no, scope, state, qr_value, requested_at, expires_at,
          accepted_at, ended_at, snapshot, snapshot_until)
  select ${FIRST_RECORD_ID} + n, r.partner_id, c.ids[n], $2::text || n, r.scope, r.state, r.qr_value,
         r.requested_at, r.expires_at, r.accepted_at, r.ended_at, r.snapshot, r.snapshot_until
    from generate_series(1, $1::int) n, (select array_agg(id) as ids from citizen) c,
         (select * from authorization_record where snapshot is not null limit 1) r`

/** The codes of each pgbench client have numbers in a separate range. */
const RANGE_PER_CLIENT = 1_000_000
/** Gives each transaction a code that no other one uses. `n` begins after the codes of earlier rounds. */
const NEXT_CODE = `\\set n :n + 1\n\\set k :client_id * ${RANGE_PER_CLIENT} + :n\n`
/** The hash of code `:k`, or of the token that it is exchanged for. */
const HASH_EXPRESSION = `'pgbench.' || :k`

/**
 * The tasks of the two steps of a sign-in, or none if pgbench is not installed. A round runs the token script,
 * then the profile script over the tokens of that round: codes and tokens are single-use.
 */
export async function signInBaseline(bench: Bench) {
  if (!pgbenchVersion()) return []
  const { plan } = bench
  const databaseUrl = await bench.openDatabase('sso_baseline')
  const scripts = await captureSignInScripts(bench, databaseUrl)
  const perClient = Math.ceil(journeysPerRound(plan.signIn, false) / CLIENTS)
  await onServer(databaseUrl, (client) => client.query(INSERT_CODES, [perClient * plan.signIn.rounds]))
  const task = (step: 'token' | 'profile', stepName: string, counted: string) => {
    let roundsBefore = 0
    const measure = async () => {
      const args = ['-t', String(perClient), '-D', `n=${roundsBefore * perClient}`]
      const count = `select count(${counted}) from access_token where hmac like 'pgbench.%'`
      const effect = { count, minimum: ++roundsBefore * perClient * CLIENTS }
      return { perSecond: await runPgbench(bench, databaseUrl, scripts[step], args, effect) }
    }
    return { name: `pgbench, ${step} statements`, step, stepName, hasNoWarmUpRound: true, measure }
  }
  return [task('token', 'token', '*'), task('profile', 'SSO authentication', 'used_at')]
}

async function captureSignInScripts(bench: Bench, databaseUrl: string) {
  const { partner_code, partner_secret } = bench.fixtures.credentials
  const [token, profile] = await captureStatements(bench, databaseUrl, async (origin, capture) => {
    const redeem = async (exchange_code: string) => {
      const body = { partner_code, partner_secret, scope: 'SSO_AUTHENTICATION', exchange_code } as const
      return (await partnerApi(origin)('generateToken', { body })).body.access_token
    }
    const [firstCode, secondCode] = await issueExchangeCodes(origin, bench.fixtures, 2)
    // The first use of a secret on a day sends one more statement, which stores the date.
    await redeem(firstCode!)
    let accessToken = ''
    const tokenStatements = await capture(async () => (accessToken = await redeem(secondCode!)))
    const signedIn = partnerApi(origin, bearer(accessToken))
    return [tokenStatements, await capture(() => signedIn('authenticate', {}))] as const
  })
  const { rows } = await onServer(databaseUrl, (client) =>
    client.query<{ hmac: string }>(
      `select unnest(array[x.hmac, t.hmac]) as hmac
         from access_token t join exchange_code x on x.id = t.exchange_code_id`,
    ),
  )
  const replacements = new Map(rows.map(({ hmac }) => [hmac, HASH_EXPRESSION]))
  return {
    token: NEXT_CODE + toScript(token, replacements),
    profile: NEXT_CODE + toScript(profile, replacements),
  }
}

const INSERT_CODES = `
  insert into exchange_code (hmac, partner_id, citizen_id, scope, expires_at)
  select 'pgbench.' || (client * ${RANGE_PER_CLIENT} + n), p.id, c.ids[1 + n % array_length(c.ids, 1)],
         'SSO_AUTHENTICATION', now() + interval '2 hours'
    from generate_series(0, ${CLIENTS} - 1) client, generate_series(1, $1::int) n,
         (select array_agg(id order by id) as ids from citizen) c, (select id from partner limit 1) p`
