import type { PartnerOperations } from '@tiwala/contract'
import { json } from './body-forms.ts'
import type { Citizen, Partner, World } from './world.ts'

export type PartnerOperationId = keyof PartnerOperations
type Parts = { headers: Record<string, string>; query?: string; fields?: Record<string, string> }

const PARTS: { [Id in PartnerOperationId]: (partner: Partner, citizen: Citizen) => Promise<Parts> } = {
  requestAuthorization: async ({ headers }, citizen) => ({ headers, fields: { qr_value: await citizen.showQr() } }),
  inquire: async ({ headers, profiles }, citizen) => {
    const { record } = await profiles.requestAuthorization(await citizen.showQr())
    return { headers, query: `tracking_no=${record.tracking_no}` }
  },
  profileByQr: async ({ headers }, citizen) => ({ headers, query: `qr_value=${await citizen.showQr('share')}` }),
  generateToken: async (partner, citizen) => {
    const exchange_code = await citizen.exchangeCode(partner.code)
    return { headers: {}, fields: { ...secretsOf(partner), scope: 'SSO_AUTHENTICATION', exchange_code } }
  },
  authenticate: async ({ code, sso }, citizen) => ({
    headers: { Authorization: `Bearer ${await sso.generateToken(await citizen.exchangeCode(code))}` },
  }),
}

export type PreparedCall = Awaited<ReturnType<typeof prepareCall>>

/** A call that would succeed, once: to be sent with a fault, and then as it should be. */
export async function prepareCall(world: World, id: PartnerOperationId, by?: Partner) {
  const partner = by ?? (await world.partner())
  const right = await PARTS[id](partner, await world.citizen())

  function send(change: Partial<Parts> = {}): Promise<Response> {
    const { headers, query, fields } = { ...right, ...change }
    const { body, headers: type } = fields ? json(fields) : {}
    return world.send(id, { headers: { ...type, ...headers }, ...(query !== undefined && { query }), ...(body !== undefined && { body }) })
  }
  const sendAs = (other: Partner) =>
    send(right.headers['X-Secret-Code'] ? { headers: other.headers } : { fields: { ...right.fields, ...secretsOf(other) } })
  // The same partner would get the same record for a QR value that it has used: only to somebody else is it worth nothing.
  const isRepeatable = id === 'requestAuthorization' || id === 'profileByQr'

  return {
    id,
    partner,
    ...right,
    send,
    sendAs,
    /** Sends it as it should be. 200: the refusals before have used nothing up. */
    stillWorks: async () => (await (isRepeatable ? sendAs(await world.partner()) : send())).status,
  }
}

function secretsOf({ credentials: { partner_code, partner_secret } }: Partner) {
  return { partner_code, partner_secret }
}
