import { type CitizenAppOperations, routes, type Schemas } from '@tiwala/contract'
import { createTransport } from '@tiwala/transport'

export type CitizenApp = ReturnType<typeof createCitizenApp>

/** Plays the app on the citizen's phone. A partner never uses this API. */
export function createCitizenApp(citizenUrl: string, token: string) {
  const call = createTransport<CitizenAppOperations>(routes['citizen-app'], {
    baseUrl: citizenUrl,
    headers: { Authorization: `Bearer ${token}` },
  })
  return {
    showQr: async (purpose: Schemas['QrPurpose']) => (await call('issueQrCode', { body: { purpose } })).body,
    openRequest: async (trackingNo: string) =>
      (await call('readAuthorization', { path: { tracking_no: trackingNo } })).body,
    accept: (trackingNo: string) => call('acceptAuthorization', { path: { tracking_no: trackingNo } }),
    decline: (trackingNo: string) => call('declineAuthorization', { path: { tracking_no: trackingNo } }),
    signInTo: async (partnerCode: string, state: string) =>
      (await call('issueExchangeCode', { body: { partner_code: partnerCode, state } })).body,
  }
}
