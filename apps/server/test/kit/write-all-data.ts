import { expect } from 'vitest'
import type { ApiClient } from './api-client.ts'
import { passport, profile } from './canary-citizen.ts'

/**
 * Sends each request that stores data, once. Returns the personal data and secrets that must not be readable
 * in storage.
 */
export async function writeAllData(api: ApiClient): Promise<string[]> {
  const { uniqid } = api.citizens[0]!
  const readJson = async (pendingResponse: Promise<Response>, status = 200) => {
    const response = await pendingResponse
    expect(response.status).toBe(status)
    return (await response.json()) as Record<string, never>
  }
  const body = { profile: { ...profile, uniqid }, passport }
  await readJson(api.send('upsertCitizen', { headers: api.asOperator, path: { uniqid }, json: body }))
  const partner = {
    partner_code: 'STORAGE',
    name: 'Storage',
    purpose: 'To test.',
    scopes: [],
    callback_url: 'https://partner.example/',
  }
  const { credentials } = await readJson(
    api.send('createPartner', { headers: api.asOperator, json: partner }),
    201,
  )
  const [accepted, unused] = [
    await api.createPendingRecord(),
    [await api.issueQrValue('inquire'), await api.issueExchangeCode()],
  ]
  await readJson(api.accept(accepted))
  const inquired = JSON.stringify(await readJson(api.inquire(accepted)))
  await readJson(api.viewByQr(await api.issueQrValue('share')))
  const waiting = await api.issueAccessToken()
  const signedIn = JSON.stringify(await readJson(api.signIn(await api.issueAccessToken())))
  const { secret_token, partner_secret, webhook_secret } = credentials as unknown as Record<string, string>
  const personal = [...Object.values(profile), ...Object.values(passport)].map(String)
  // Control: the responses contained them.
  expect(personal.filter((value) => !(inquired + signedIn).includes(value))).toEqual([])
  const own = api.partner
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

/** The forms in which a text could be stored: the text itself, in Base64, and in hexadecimal. */
const formsOf = (text: string) => [
  text,
  Buffer.from(text).toString('base64').slice(0, -4),
  Buffer.from(text).toString('hex'),
]
export const findCanaries = (content: string, canaries: string[]) =>
  canaries.filter((canary) => formsOf(canary).some((form) => content.includes(form)))
