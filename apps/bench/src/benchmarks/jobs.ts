// The loads that several benchmarks measure.
import { routes } from '@tiwala/contract'
import { basePathOf } from '@tiwala/kit/operations'
import type { Bench } from '../bench.ts'
import type { Contender } from '../contenders/contender.ts'
import { type Fixtures, issueExchangeCodes } from '../fixtures/create-fixtures.ts'
import { randomEndedTrackingNo } from '../fixtures/ended-records.ts'
import { CODE_VERIFIER } from '../fixtures/issue-sign-in-codes.ts'
import type { Step } from '../load/main.ts'
import { type Measurement, type Processes, runLoad } from '../load/run-load.ts'
import { KEYCLOAK_PATHS } from '../peers/keycloak.ts'
import { OIDC_CLIENT } from '../peers/oidc-provider.ts'
import type { Plan } from '../plan.ts'

/** More than a round sends, except for the fastest peers, which begin again. */
const ITEMS = 50_000

/** The servers of one contender, and the partner that calls them. */
export type Target = Processes & { fixtures: Fixtures }

export const targetOf = ({ postgresPid, fixtures }: Bench, ...servers: Contender[]): Target => ({
  servers,
  postgresPid,
  fixtures,
})

type InquireLoad = Pick<Plan, 'connections' | 'warmUpSeconds' | 'seconds' | 'warmUpRoundSeconds'> & {
  /** Every second request reads one of this many ended records. Default: none. */
  endedRecords?: number
  /** Pins the load generator. */
  cores?: string | undefined
}

/** Reads random records, in the warm-up round for longer. */
export function measureInquire(
  { plan }: Bench,
  target: Target,
  isWarmUpRound: boolean,
  { connections, warmUpSeconds, endedRecords = 0, cores, ...load }: InquireLoad = plan,
): Promise<Measurement> {
  const { partnerHeaders: headers, acceptedResponses: accepted } = target.fixtures
  const items = Array.from({ length: ITEMS }, (_, index) =>
    endedRecords > 0 && index % 2 === 1
      ? randomEndedTrackingNo(endedRecords)
      : accepted[Math.floor(Math.random() * accepted.length)]!.data.tracking_no,
  )
  const seconds = isWarmUpRound ? load.warmUpRoundSeconds : load.seconds
  const path = `${routes.partner.inquire.path}?tracking_no={item}`
  const steps: Step[] = [{ method: 'GET', path, headers }]
  return runLoad({ connections, warmUpSeconds, seconds, items, steps }, target, cores)
}

const tokenStep = (path: string, form: Record<string, string>, codeField: string): Step => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: `${String(new URLSearchParams(form))}&${codeField}={item}`,
  takes: 'access_token',
})
const AUTHORIZATION = { authorization: 'Bearer {item}' }

/** The steps of the service: code to token, token to profile. */
export const tiwalaSteps = ({ credentials: { partner_code, partner_secret } }: Fixtures): [Step, Step] => [
  tokenStep(
    routes.partner.generateToken.path,
    { partner_code, partner_secret, scope: 'SSO_AUTHENTICATION' },
    'exchange_code',
  ),
  { method: 'POST', path: routes.partner.authenticate.path, headers: AUTHORIZATION },
]

/** A partner asks, the citizen accepts, the partner reads. An item is a QR value and the citizen's token. */
export const consentSteps = ({ partnerHeaders }: Fixtures): Step[] => [
  {
    method: 'POST',
    path: routes.partner.requestAuthorization.path,
    headers: { ...partnerHeaders, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'qr_value={item}',
    takes: 'tracking_no',
  },
  {
    method: 'POST',
    path:
      basePathOf('citizen-app') +
      routes['citizen-app'].acceptAuthorization.path.replace('{tracking_no}', '{item}'),
    headers: { authorization: 'Bearer {token}' },
  },
  {
    method: 'GET',
    path: `${routes.partner.inquire.path}?tracking_no={item}`,
    headers: partnerHeaders,
  },
]

/** The steps of oidc-provider: code to token, token to userinfo. */
export const OIDC_STEPS: Step[] = [
  tokenStep('/token', { ...OIDC_CLIENT, grant_type: 'authorization_code' }, 'code'),
  { method: 'GET', path: '/me', headers: AUTHORIZATION },
]

/** The same of Keycloak. */
export const KEYCLOAK_STEPS: Step[] = [
  tokenStep(
    KEYCLOAK_PATHS.token,
    { ...OIDC_CLIENT, code_verifier: CODE_VERIFIER, grant_type: 'authorization_code' },
    'code',
  ),
  { method: 'GET', path: KEYCLOAK_PATHS.userinfo, headers: AUTHORIZATION },
]

/** The same of the service. */
export const signInSteps = ({ credentials: { partner_code, partner_secret } }: Fixtures): Step[] => [
  tokenStep(
    '/oidc/token',
    {
      client_id: partner_code,
      client_secret: partner_secret,
      redirect_uri: OIDC_CLIENT.redirect_uri,
      code_verifier: CODE_VERIFIER,
      grant_type: 'authorization_code',
    },
    'code',
  ),
  { method: 'GET', path: '/oidc/me', headers: AUTHORIZATION },
]

/** Runs the steps once for each item: exchange codes, access tokens or QR values. */
export const measureSteps = (
  { plan: { connections, signIn } }: Bench,
  target: Target,
  items: string[],
  steps: Step[],
  warmUpItems = signIn.warmUpJourneys,
): Promise<Measurement> => runLoad({ connections, warmUpItems, items, steps }, target)

/** The number of journeys in a round, including those of its warm-up. */
export const journeysPerRound = (
  { journeys, warmUpJourneys, warmUpRoundJourneys }: Plan['signIn'],
  isWarmUpRound: boolean,
): number => (isWarmUpRound ? warmUpRoundJourneys : journeys + warmUpJourneys)

/** Creates the exchange codes of a round and redeems them, by default up to the profile. */
export async function measureJourneys(
  bench: Bench,
  target: Target,
  isWarmUpRound: boolean,
  steps: Step[] = tiwalaSteps(target.fixtures),
): Promise<Measurement> {
  const count = journeysPerRound(bench.plan.signIn, isWarmUpRound)
  const codes = await issueExchangeCodes(target.servers[0]!.origin, target.fixtures, count)
  return measureSteps(bench, target, codes, steps)
}
