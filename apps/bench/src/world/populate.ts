import type { Schemas, Success } from '@tiwala/contract'
import type { IdentityProvider } from '../contenders/identity-provider.ts'
import { tell } from '../tell.ts'
import { type Call, callsTo, inParallel } from './calls.ts'
import { citizenOf } from './citizens.ts'

export type AcceptedAnswer = Success<'inquire'> & { data: Schemas['AcceptedAuthorization'] }
export type World = {
  credentials: Schemas['PartnerCredentials']
  /** The headers of the partner's profile API. */
  asPartner: Record<string, string>
  citizens: { uniqid: string; token: string }[]
  /** What the service answers for each accepted record. */
  accepted: AcceptedAnswer[]
}

/**
 * Everything by the API, as in life: a partner without a callback (so that no peer is measured against our deliveries), citizens, and
 * an accepted record of each.
 */
export async function populate(origin: string, identity: IdentityProvider, accepted: number): Promise<World> {
  tell(`Making ${accepted} citizens and an accepted record of each, by the API`)
  const call = callsTo(origin)
  const credentials = await seedParties(call, identity, accepted)
  const asPartner = { 'X-Secret-Code': credentials.secret_code, 'X-Secret-Token': credentials.secret_token }
  const citizens = await Promise.all(
    Array.from({ length: accepted }, async (_, index) => {
      const { uniqid } = citizenOf(index + 1)
      return { uniqid, token: await identity.citizen(uniqid) }
    }),
  )
  const answers = await inParallel(citizens, async ({ token }) => {
    const headers = { Authorization: `Bearer ${token}` }
    const { qr_value } = await call('issueQrCode', { headers, body: { purpose: 'inquire' } })
    const { data } = await call('requestAuthorization', { headers: asPartner, body: { qr_value } })
    await call('acceptAuthorization', { headers, path: { tracking_no: data.tracking_no } })
    return call('inquire', { headers: asPartner, query: { tracking_no: data.tracking_no } })
  })
  return { credentials, asPartner, citizens, accepted: answers as AcceptedAnswer[] }
}

async function seedParties(call: Call, identity: IdentityProvider, citizens: number): Promise<Schemas['PartnerCredentials']> {
  const headers = { Authorization: `Bearer ${await identity.operator()}` }
  const lines = Array.from({ length: citizens }, (_, index) => citizenOf(index + 1).line)
  const report = await call('importCitizens', { headers, body: lines.join('\n') })
  if (report.created !== citizens) throw new Error(`citizens were not written: ${JSON.stringify(report.errors[0])}`)
  return createPartner(call, identity, { partner_code: 'BENCH' })
}

type Named = { partner_code: string; callback_url?: string }

export async function createPartner(call: Call, identity: IdentityProvider, named: Named): Promise<Schemas['PartnerCredentials']> {
  const headers = { Authorization: `Bearer ${await identity.operator()}` }
  const scopes: Schemas['Scope'][] = ['PROFILE_INQUIRE', 'SSO_AUTHENTICATION']
  const { credentials } = await call('createPartner', { headers, body: { ...named, name: 'Bench', purpose: 'To measure.', scopes } })
  return credentials
}

/** Exchange codes, made before the round that uses them up. */
export function issueCodes(origin: string, { citizens, credentials: { partner_code } }: World, count: number): Promise<string[]> {
  const call = callsTo(origin)
  const asked = Array.from({ length: count }, (_, index) => citizens[index % citizens.length]!)
  return inParallel(asked, async ({ token }) => {
    const headers = { Authorization: `Bearer ${token}` }
    return (await call('issueExchangeCode', { headers, body: { partner_code } })).exchange_code
  })
}
