import type { Bench } from '../bench.ts'
import { type Capture, capturing } from '../postgres/capture-statements.ts'
import { ARTEFACT_K, insertCodes, newestHashes, NEXT_K, requireEffect } from '../postgres/pgbench-rows.ts'
import { toScript } from '../postgres/pgbench-script.ts'
import { CLIENTS, pgbench } from '../postgres/pgbench.ts'
import { callsTo } from '../fixtures/api-client.ts'
import { issueCodes } from '../fixtures/create-fixtures.ts'

export type SignInLimit = { round(): Promise<void>; tokens: number[]; profiles: number[] }

/** pgbench running what our server sends for a token and for a profile, each over codes and tokens that nobody has used. */
export async function signInLimit(bench: Bench, databaseUrl: string): Promise<SignInLimit> {
  const { startTiwala, folder, plan } = bench
  const scripts = await capturing(startTiwala, databaseUrl, folder, (origin, capture) => scriptsOf(bench, databaseUrl, origin, capture))
  const perClient = Math.ceil((plan.signIn.journeys + plan.signIn.warmUp) / CLIENTS)
  await insertCodes(databaseUrl, CLIENTS, perClient * plan.signIn.rounds)
  const limit = { tokens: [] as number[], profiles: [] as number[] }
  const round = async () => {
    const run = { databaseUrl, folder, transactionsPerClient: perClient, define: { n: limit.tokens.length * perClient } }
    limit.tokens.push(await pgbench({ ...run, script: scripts.token }))
    limit.profiles.push(await pgbench({ ...run, script: scripts.profile }))
    await requireEffect(databaseUrl, 'signedIn', limit.tokens.length * perClient * CLIENTS)
  }
  return { ...limit, round }
}

async function scriptsOf(bench: Bench, databaseUrl: string, origin: string, capture: Capture) {
  const { partner_code, partner_secret } = bench.fixtures.credentials
  const call = callsTo(origin)
  const exchange = (exchange_code: string) =>
    call('generateToken', { headers: {}, body: { partner_code, partner_secret, scope: 'SSO_AUTHENTICATION', exchange_code } })
  const [first, second] = await issueCodes(origin, bench.fixtures, 2)
  // The first use of a secret on a day is noted.
  await exchange(first!)
  let accessToken = ''
  const ofToken = await capture(async () => ({ access_token: accessToken } = await exchange(second!)))
  const ofProfile = await capture(() => call('authenticate', { headers: { Authorization: `Bearer ${accessToken}` } }))
  const hashes = await newestHashes(databaseUrl)
  const replacements = new Map<unknown, string>([
    [hashes.code, ARTEFACT_K],
    [hashes.token, ARTEFACT_K],
  ])
  return { token: NEXT_K + toScript(ofToken, replacements), profile: NEXT_K + toScript(ofProfile, replacements) }
}
