import type { ErrorCode } from '@tiwala/contract'
import type { Partner } from './users.ts'

/** Invalid headers, made from the valid headers of a partner and of another partner. */
export const INVALID_CREDENTIALS: {
  what: string
  error: ErrorCode
  headersFor: (partner: Partner, another: Partner) => Partial<Partner['headers']>
}[] = [
  { what: 'no credentials', error: 'credentials_missing', headersFor: () => ({}) },
  {
    what: 'no X-Secret-Token',
    error: 'credentials_missing',
    headersFor: ({ credentials }) => ({ 'X-Secret-Code': credentials.secret_code }),
  },
  {
    what: 'no X-Secret-Code',
    error: 'credentials_missing',
    headersFor: ({ credentials }) => ({ 'X-Secret-Token': credentials.secret_token }),
  },
  {
    what: 'an empty X-Secret-Token',
    error: 'credentials_missing',
    headersFor: ({ headers }) => ({ ...headers, 'X-Secret-Token': '' }),
  },
  {
    what: 'an unknown X-Secret-Code',
    error: 'credentials_invalid',
    headersFor: ({ headers }) => ({ ...headers, 'X-Secret-Code': `twc_${'0'.repeat(20)}` }),
  },
  {
    what: "another partner's X-Secret-Token",
    error: 'credentials_invalid',
    headersFor: ({ headers }, { credentials }) => ({
      ...headers,
      'X-Secret-Token': credentials.secret_token,
    }),
  },
  {
    what: 'an X-Secret-Token with one character changed',
    error: 'credentials_invalid',
    headersFor: ({ headers, credentials }) => ({
      ...headers,
      'X-Secret-Token': changed(credentials.secret_token),
    }),
  },
  {
    what: 'the partner_secret as X-Secret-Token',
    error: 'credentials_invalid',
    headersFor: ({ headers, credentials }) => ({ ...headers, 'X-Secret-Token': credentials.partner_secret }),
  },
]

/** The text with its middle character changed. */
export function changed(text: string): string {
  const middle = text.length >> 1
  return `${text.slice(0, middle)}${text[middle] === 'A' ? 'B' : 'A'}${text.slice(middle + 1)}`
}
