// Every call that gives something away, prepared at a server that is sound, and presented there or to one that is not.
import { expect } from 'vitest'
import type { TestService } from '../../src/testing/start-service.ts'
import { assertErrorShape, meet, type People } from './api-client.ts'
import { passport, profile } from './canary-citizen.ts'

const UNIQID = 'CANARY-1'
const CANARIES = [UNIQID, ...Object.values(profile), ...Object.values(passport)].map(String)
/** A retry within this time meets the record that it made; here, that would hide that the QR value was used up. */
export const NO_RETRIES = { TIWALA_QR_RETRY_SECONDS: '0' }

export type CallName = 'inquire' | 'profileByQr' | 'generateToken' | 'authenticate' | 'listDisclosures' | 'listPartners'
/** What discloses a profile, or leads there. */
export const FOUR = ['inquire', 'profileByQr', 'generateToken', 'authenticate'] as const satisfies CallName[]
const CARRY_PROFILE: ReadonlySet<CallName> = new Set(['inquire', 'profileByQr', 'authenticate'])

export type Prepared = Record<CallName, (people: People) => Promise<Response>>

/** A citizen whose every field can be told in any text, at a sound server. */
export async function prepareCanary({ url, tokens }: Pick<TestService, 'url' | 'tokens'>) {
  const people = await meet(url)
  const headers = { Authorization: `Bearer ${await tokens.citizen(UNIQID)}` }
  const body = { profile: { ...profile, uniqid: UNIQID }, passport }
  const written = await people.send('upsertCitizen', { headers: people.asOperator, path: { uniqid: UNIQID }, json: body })
  expect(written.ok).toBe(true)

  /** Each call with an artefact of its own that is good, once. */
  async function prepare(): Promise<Prepared> {
    const [trackingNo, qrValue] = [await people.pending(headers), await people.showQr('share', headers)]
    expect((await people.accept(trackingNo, headers)).status).toBe(200)
    const [code, token] = [await people.exchangeCode(headers), await people.accessToken(headers)]
    return {
      inquire: ({ inquire }) => inquire(trackingNo),
      profileByQr: ({ view }) => view(qrValue),
      generateToken: ({ exchange }) => exchange(code),
      authenticate: ({ signIn }) => signIn(token),
      listDisclosures: ({ send }) => send('listDisclosures', { headers }),
      listPartners: ({ send, asOperator }) => send('listPartners', { headers: asOperator }),
    }
  }
  return { people, prepare }
}

/** `right`: 200, with the profile where there is to be one. `refused`: an error of the one shape, without a byte of the profile. */
export type DeliveryState = { verdict: 'right' | 'refused' | `wrong: ${string}`; status: number }

export async function judge(name: CallName, answer: Promise<Response>): Promise<DeliveryState> {
  const response = await answer
  const { status } = response
  const text = await response.text()
  const everything = text + JSON.stringify([...response.headers])
  const [found, isWhole] = [CANARIES.filter((canary) => everything.includes(canary)), missingIn(name, text).length === 0]
  if (status === 200) return { verdict: isWhole ? 'right' : `wrong: ${text}`, status }
  if (found.length > 0) return { verdict: `wrong: ${found.join()} is told`, status }
  assertErrorShape(JSON.parse(text))
  return { verdict: status >= 400 ? 'refused' : `wrong: ${text}`, status }
}

function missingIn(name: CallName, text: string): string[] {
  if (!CARRY_PROFILE.has(name)) return []
  // What both the profile API and single sign-on give, in one form.
  return [UNIQID, profile.email, profile.mobile, profile.photo].filter((canary) => !text.includes(canary))
}

/** Presents what was prepared; tells the verdict of each call. */
export async function present(people: People, prepared: Prepared, names: readonly CallName[] = FOUR) {
  const verdicts: Partial<Record<CallName, DeliveryState>> = {}
  for (const name of names) verdicts[name] = await judge(name, prepared[name](people))
  return verdicts
}

export const all = (verdict: DeliveryState['verdict'], names: readonly CallName[] = FOUR) =>
  Object.fromEntries(names.map((name) => [name, expect.objectContaining({ verdict })]))
