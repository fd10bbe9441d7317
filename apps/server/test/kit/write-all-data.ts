import { expect } from 'vitest'
import type { People } from './api-client.ts'
import { passport, profile } from './canary-citizen.ts'

/** Calls every operation that stores something, once. Returns the personal data and secrets that must not be readable in storage. */
export async function storeEverything(people: People): Promise<string[]> {
  const { uniqid } = people.citizens[0]!
  const given = async (answer: Promise<Response>, status = 200) => {
    const response = await answer
    expect(response.status).toBe(status)
    return (await response.json()) as Record<string, never>
  }
  const body = { profile: { ...profile, uniqid }, passport }
  await given(people.send('upsertCitizen', { headers: people.asOperator, path: { uniqid }, json: body }))
  const partner = { partner_code: 'SEALED', name: 'Sealed', purpose: 'To test.', scopes: [], callback_url: 'https://partner.example/' }
  const { credentials } = await given(people.send('createPartner', { headers: people.asOperator, json: partner }), 201)
  const [accepted, unused] = [await people.pending(), [await people.showQr('inquire'), await people.exchangeCode()]]
  await given(people.accept(accepted))
  const inquired = JSON.stringify(await given(people.inquire(accepted)))
  await given(people.view(await people.showQr('share')))
  const waiting = await people.accessToken()
  const signedIn = JSON.stringify(await given(people.signIn(await people.accessToken())))
  const { secret_token, partner_secret, webhook_secret } = credentials as unknown as Record<string, string>
  const personal = [...Object.values(profile), ...Object.values(passport)].map(String)
  // The answers contained them.
  expect(personal.filter((value) => !(inquired + signedIn).includes(value))).toEqual([])
  const own = people.partner
  return [
    uniqid,
    ...personal,
    ...unused,
    waiting,
    secret_token!,
    partner_secret!,
    webhook_secret!,
    own.secret_token,
    own.partner_secret,
    own.webhook_secret,
  ]
}

/** As it stands, and as the base64 of which it may be a part. */
const formsOf = (text: string) => [text, Buffer.from(text).toString('base64').slice(0, -4), Buffer.from(text).toString('hex')]
export const foundIn = (content: string, canaries: string[]) =>
  canaries.filter((canary) => formsOf(canary).some((form) => content.includes(form)))
