// Each kind of single-use value: its table and lifetime, how it is created and used, the errors of a value
// that is not valid and of a used one, and the audit event of its use.
import type { ApiClient } from './api-client.ts'

export const SINGLE_USE_KINDS = [
  {
    what: 'an exchange code',
    table: 'exchange_code',
    lifeSeconds: 60,
    mint: (api: ApiClient) => api.issueExchangeCode(),
    use: (api: ApiClient, code: string) => api.redeemExchangeCode(code),
    refusal: '422 exchange_code_invalid',
    used: '422 exchange_code_invalid',
    audited: 'code.redeemed',
  },
  {
    what: 'an access token',
    table: 'access_token',
    lifeSeconds: 300,
    mint: (api: ApiClient) => api.issueAccessToken(),
    use: (api: ApiClient, token: string) => api.signIn(token),
    refusal: '401 token_invalid',
    used: '401 token_used',
    audited: 'sso.authenticated',
  },
  {
    what: 'a QR value for a request',
    table: 'qr_code',
    lifeSeconds: 60,
    mint: (api: ApiClient) => api.issueQrValue('inquire'),
    use: (api: ApiClient, qr: string) => api.request(qr),
    refusal: '422 qr_value_invalid',
    used: '422 qr_value_invalid',
    audited: 'authorization.requested',
  },
  {
    what: 'a QR value for sharing',
    table: 'qr_code',
    lifeSeconds: 60,
    mint: (api: ApiClient) => api.issueQrValue('share'),
    use: (api: ApiClient, qr: string) => api.viewByQr(qr),
    refusal: '422 qr_value_invalid',
    used: '422 qr_value_invalid',
    audited: 'profile.viewed',
  },
] as const
export type Kind = (typeof SINGLE_USE_KINDS)[number]
