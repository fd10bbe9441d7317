import type { PartnerOperations, Schemas } from '@tiwala/contract'
import type { Failure } from '../failure.ts'

export type CheckName = Schemas['CheckName']
export type PartnerOperationId = keyof PartnerOperations

/**
 * The values of a request by which a check may have failed. Kept in memory until they are looked up, never
 * stored.
 */
export type PresentedValues = Partial<
  Record<'secret_token' | 'partner_secret' | 'qr_value' | 'exchange_code' | 'access_token', string>
>

/** A refused request of a partner. */
export type Refusal = {
  requestId: string
  /** Null: the request was refused before its operation was known. */
  operation: PartnerOperationId | null
  failure: Failure
  /** The checks that the request passed, in order. */
  passed: readonly CheckName[]
  /** The partner that authenticated, or that the request only names by a code. */
  partner: { id: number; isAuthenticated: boolean } | { secretCode: string } | { partnerCode: string }
  presented: PresentedValues
  address: string | undefined
}

/** False: the request only names the partner, as anyone can. */
export const isAuthenticated = (partner: Refusal['partner']): boolean =>
  'isAuthenticated' in partner && partner.isAuthenticated
