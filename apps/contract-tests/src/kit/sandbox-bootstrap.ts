import { createPartnerClient, createSsoClient } from '@tiwala/client'
import type { Schemas } from '@tiwala/contract'
import { citizenApi, operatorApi } from '@tiwala/kit/users'
import type { Bootstrap } from '@tiwala/server/sandbox-bootstrap'

/** Clients that use only the data of the bootstrap, like those of a new developer. */
export function createClients(
  { base_url, auth_url, citizen_url, operator_url, partner, operator_token }: Bootstrap,
  fetch: (request: Request) => Promise<Response> = globalThis.fetch,
) {
  const app = (token: string) => citizenApi(citizen_url, token, { fetch })
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
    operator: operatorApi(operator_url, operator_token!, { fetch }),
    app,
    showQr: async (token: string, purpose: Schemas['QrPurpose']) =>
      (await app(token)('issueQrCode', { body: { purpose } })).body.qr_value,
    signIn: (token: string) =>
      app(token)('issueExchangeCode', { body: { partner_code: partner.partner_code } }),
  }
}
