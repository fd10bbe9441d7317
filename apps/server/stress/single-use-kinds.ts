// What can be used once: how it is made, how it is used, what is said when it is no good any more, and what the audit says of its use.
import type { People } from '../test/kit/api-client.ts'

export const KINDS = [
  {
    what: 'an exchange code',
    mint: (people: People) => people.exchangeCode(),
    use: (people: People, code: string) => people.exchange(code),
    refusal: '422 exchange_code_invalid',
    used: '422 exchange_code_invalid',
    audited: 'code.redeemed',
  },
  {
    what: 'an access token',
    mint: (people: People) => people.accessToken(),
    use: (people: People, token: string) => people.signIn(token),
    refusal: '401 token_invalid',
    used: '401 token_used',
    audited: 'sso.authenticated',
  },
  {
    what: 'a QR value for a request',
    mint: (people: People) => people.showQr('inquire'),
    use: (people: People, qr: string) => people.request(qr),
    refusal: '422 qr_value_invalid',
    used: '422 qr_value_invalid',
    audited: 'authorization.requested',
  },
  {
    what: 'a QR value for sharing',
    mint: (people: People) => people.showQr('share'),
    use: (people: People, qr: string) => people.view(qr),
    refusal: '422 qr_value_invalid',
    used: '422 qr_value_invalid',
    audited: 'profile.viewed',
  },
] as const
export type Kind = (typeof KINDS)[number]
