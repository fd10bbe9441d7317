// Every request that discloses something, prepared at a healthy server, and sent to it or to a faulty one.
import { expect } from 'vitest'
import { assertErrorShape, startServiceForFile, type ApiClient } from './api-client.ts'
import { passport, profile } from './canary-citizen.ts'

const UNIQID = 'CANARY-1'
const CANARIES = [UNIQID, ...Object.values(profile), ...Object.values(passport)].map(String)
/**
 * Without retries: within the retry time, a used QR value returns its record, which would hide that it was
 * used up.
 */
export const NO_RETRIES = { TIWALA_QR_RETRY_SECONDS: '0' }

export type OperationName =
  | 'inquire'
  | 'profileByQr'
  | 'generateToken'
  | 'authenticate'
  | 'listDisclosures'
  | 'listPartners'
/** Operations that disclose a profile, or that lead to a disclosure. */
export const PROFILE_OPERATIONS = [
  'inquire',
  'profileByQr',
  'generateToken',
  'authenticate',
] as const satisfies OperationName[]
const RETURN_PROFILE: ReadonlySet<OperationName> = new Set(['inquire', 'profileByQr', 'authenticate'])

export type PreparedRequests = Record<OperationName, (api: ApiClient) => Promise<Response>>

/** For the top level of a test file: a healthy server, and a citizen with unique values in every field. */
export async function startServiceWithCanary() {
  const { service, api } = await startServiceForFile(NO_RETRIES)
  const headers = { Authorization: `Bearer ${await service.tokens.citizen(UNIQID)}` }
  const body = { profile: { ...profile, uniqid: UNIQID }, passport }
  const written = await api.send('upsertCitizen', {
    headers: api.asOperator,
    path: { uniqid: UNIQID },
    json: body,
  })
  expect(written.ok).toBe(true)

  /** Prepares each request with its own valid, unused token, code or QR value. */
  async function prepare(): Promise<PreparedRequests> {
    const [trackingNo, qrValue] = [
      await api.createPendingRecord(headers),
      await api.issueQrValue('share', headers),
    ]
    expect((await api.accept(trackingNo, headers)).status).toBe(200)
    const [code, token] = [await api.issueExchangeCode(headers), await api.issueAccessToken(headers)]
    return {
      inquire: ({ inquire }) => inquire(trackingNo),
      profileByQr: ({ viewByQr }) => viewByQr(qrValue),
      generateToken: ({ redeemExchangeCode }) => redeemExchangeCode(code),
      authenticate: ({ signIn }) => signIn(token),
      listDisclosures: ({ send }) => send('listDisclosures', { headers }),
      listPartners: ({ send, asOperator }) => send('listPartners', { headers: asOperator }),
    }
  }
  return { service, canary: { api, prepare } }
}

/**
 * `right`: 200, with the profile if the operation returns one. `refused`: an error without a byte of the
 * profile.
 */
export type Verdict = { verdict: 'right' | 'refused' | `wrong: ${string}`; status: number }

export async function checkDisclosure(
  name: OperationName,
  pendingResponse: Promise<Response>,
): Promise<Verdict> {
  const response = await pendingResponse
  const { status } = response
  const text = await response.text()
  const everything = text + JSON.stringify([...response.headers])
  const [found, isWhole] = [
    CANARIES.filter((canary) => everything.includes(canary)),
    missingIn(name, text).length === 0,
  ]
  if (status === 200) return { verdict: isWhole ? 'right' : `wrong: ${text}`, status }
  if (found.length > 0) return { verdict: `wrong: ${found.join()} is in the response`, status }
  assertErrorShape(JSON.parse(text))
  return { verdict: status >= 400 ? 'refused' : `wrong: ${text}`, status }
}

function missingIn(name: OperationName, text: string): string[] {
  if (!RETURN_PROFILE.has(name)) return []
  // Values that the profile API and single sign-on return in the same form.
  return [UNIQID, profile.email, profile.mobile, profile.photo].filter((canary) => !text.includes(canary))
}

/** Sends the prepared requests. Returns a verdict for each. */
export async function sendPrepared(
  api: ApiClient,
  prepared: PreparedRequests,
  names: readonly OperationName[] = PROFILE_OPERATIONS,
) {
  const verdicts: Partial<Record<OperationName, Verdict>> = {}
  for (const name of names) verdicts[name] = await checkDisclosure(name, prepared[name](api))
  return verdicts
}

export const expectAll = (
  verdict: Verdict['verdict'],
  names: readonly OperationName[] = PROFILE_OPERATIONS,
) => Object.fromEntries(names.map((name) => [name, expect.objectContaining({ verdict })]))
