import type { PartnerOperations, Schemas } from '@tiwala/contract'

export type CheckName = Schemas['CheckName']
export type PartnerOperationId = keyof PartnerOperations
/** An endpoint of OpenID Connect, which is no operation of the contract. */
export type OidcEndpoint = `oidc/${string}`

/** What the response said: a `Failure`, or an error of OpenID Connect. */
export type RefusedWith = {
  status: number
  code: string
  message: string
  check: CheckName | undefined
}

/**
 * The values of a request by which a check may have failed. Kept in memory until they are looked up, never
 * stored.
 */
export type PresentedValues = Partial<
  Record<
    'secret_token' | 'partner_secret' | 'qr_value' | 'exchange_code' | 'access_token' | 'authorization_code',
    string
  >
>

/** A refused request of a partner. */
export type Refusal = {
  requestId: string
  /** Null: the request was refused before its operation was known. */
  operation: PartnerOperationId | OidcEndpoint | null
  failure: RefusedWith
  /** The checks that the request passed, in order. */
  passed: readonly CheckName[]
  /** The partner that authenticated, or that the request only names by a code. */
  partner:
    | { id: number; isAuthenticated: boolean }
    | { secretCode: string }
    | { partnerCode: string; isAuthenticated?: boolean }
  presented: PresentedValues
  /** Why the check failed, if that is known without a lookup. */
  detail?: string | undefined
  address: string | undefined
}

/** False: the request only names the partner, as anyone can. */
export const isAuthenticated = (partner: Refusal['partner']): boolean =>
  'isAuthenticated' in partner && partner.isAuthenticated
