import type { Schemas } from '@tiwala/contract'
import { citizenApp } from '@tiwala/kit/users'

/** Plays the app on the citizen's phone. A partner never uses this API. */
export function createCitizenApp(citizenUrl: string, token: string) {
  const { app: call, accept, decline } = citizenApp(citizenUrl, token)
  return {
    showQr: async (purpose: Schemas['QrPurpose']) => (await call('issueQrCode', { body: { purpose } })).body,
    pending: async () =>
      (await call('listAuthorizations', { query: { state: 'PENDING' } })).body.authorizations,
    accept,
    decline,
    signInTo: async (partnerCode: string, state: string) =>
      (await call('issueExchangeCode', { body: { partner_code: partnerCode, state } })).body,
  }
}
