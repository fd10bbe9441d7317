import { createPartnerClient, createSsoClient } from '@tiwala/client'
import { type CitizenAppOperations, type OperatorOperations, routes, type Schemas } from '@tiwala/contract'
import type { Bootstrap } from '@tiwala/server/sandbox-bootstrap'
import { createTransport } from '@tiwala/transport'

/** Clients that use only the data of the bootstrap, like those of a new developer. */
export function createClients(
  { base_url, auth_url, citizen_url, operator_url, partner, operator_token }: Bootstrap,
  fetch: (request: Request) => Promise<Response> = globalThis.fetch,
) {
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })
  const app = (token: string) =>
    createTransport<CitizenAppOperations>(routes['citizen-app'], {
      baseUrl: citizen_url,
      headers: bearer(token),
      fetch,
    })
  return {
    profiles: createPartnerClient({
      baseUrl: base_url,
      secretCode: partner.secret_code,
      secretToken: partner.secret_token,
      maxRetries: 0,
      fetch,
    }),
    sso: createSsoClient({
      authUrl: auth_url,
      partnerCode: partner.partner_code,
      partnerSecret: partner.partner_secret,
      fetch,
    }),
    operator: createTransport<OperatorOperations>(routes.operator, {
      baseUrl: operator_url,
      headers: bearer(operator_token),
      fetch,
    }),
    app,
    showQr: async (token: string, purpose: Schemas['QrPurpose']) =>
      (await app(token)('issueQrCode', { body: { purpose } })).body.qr_value,
    signIn: (token: string) =>
      app(token)('issueExchangeCode', { body: { partner_code: partner.partner_code } }),
  }
}
