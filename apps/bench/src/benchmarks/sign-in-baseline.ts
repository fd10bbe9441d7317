// The baseline of single sign-on: pgbench runs the statements that the service sends for each of its steps.
//
// 1. `captureScripts` signs in once at an idle server, captures the statements of each step, and replaces the
//    hashes of the code and the token by expressions over pgbench variables.
// 2. `insertCodes` inserts unused codes for all rounds.
// 3. Each round runs the token script, then the profile script over the tokens of that round. Every
//    transaction has its own code or token, because both are single-use. The round fails if pgbench has used
//    fewer tokens than expected.
import type { Bench } from '../bench.ts'
import { createApiClient } from '../fixtures/api-client.ts'
import { issueExchangeCodes } from '../fixtures/create-fixtures.ts'
import { type Capture, withStatementCapture } from '../postgres/capture-statements.ts'
import {
  HASH_EXPRESSION,
  insertCodes,
  newestHashes,
  NEXT_CODE,
  requireEffect,
} from '../postgres/pgbench-rows.ts'
import { toScript } from '../postgres/pgbench-script.ts'
import { CLIENTS, runPgbench } from '../postgres/pgbench.ts'
import { journeysPerRound } from './sign-in-jobs.ts'

/** Rates per second of the rounds that `runRound` has run. */
export type SignInBaseline = { runRound(): Promise<void>; tokenRates: number[]; profileRates: number[] }

export async function prepareSignInBaseline(bench: Bench, databaseUrl: string): Promise<SignInBaseline> {
  const { startTiwala, folder, plan } = bench
  const scripts = await withStatementCapture(startTiwala, databaseUrl, folder, (origin, capture) =>
    captureScripts(bench, databaseUrl, origin, capture),
  )
  const perClient = Math.ceil(journeysPerRound(plan, false) / CLIENTS)
  await insertCodes(databaseUrl, CLIENTS, perClient * plan.signIn.rounds)
  const tokenRates: number[] = []
  const profileRates: number[] = []
  const runRound = async () => {
    const variables = { n: tokenRates.length * perClient }
    const options = { databaseUrl, folder, transactionsPerClient: perClient, variables }
    tokenRates.push(await runPgbench({ ...options, script: scripts.token }))
    profileRates.push(await runPgbench({ ...options, script: scripts.profile }))
    await requireEffect(databaseUrl, 'used tokens', tokenRates.length * perClient * CLIENTS)
  }
  return { runRound, tokenRates, profileRates }
}

async function captureScripts(bench: Bench, databaseUrl: string, origin: string, capture: Capture) {
  const { partner_code, partner_secret } = bench.fixtures.credentials
  const client = createApiClient(origin)
  const redeem = (exchange_code: string) =>
    client('generateToken', {
      headers: {},
      body: { partner_code, partner_secret, scope: 'SSO_AUTHENTICATION', exchange_code },
    })
  const [firstCode, secondCode] = await issueExchangeCodes(origin, bench.fixtures, 2)
  // The first use of a secret on a day sends one more statement, which stores the date.
  await redeem(firstCode!)
  let accessToken = ''
  const tokenStatements = await capture(
    async () => ({ access_token: accessToken } = await redeem(secondCode!)),
  )
  const profileStatements = await capture(() =>
    client('authenticate', { headers: { Authorization: `Bearer ${accessToken}` } }),
  )
  const hashes = await newestHashes(databaseUrl)
  const replacements = new Map<unknown, string>([
    [hashes.code, HASH_EXPRESSION],
    [hashes.token, HASH_EXPRESSION],
  ])
  return {
    token: NEXT_CODE + toScript(tokenStatements, replacements),
    profile: NEXT_CODE + toScript(profileStatements, replacements),
  }
}
