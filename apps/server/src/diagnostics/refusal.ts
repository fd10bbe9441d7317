import type { PartnerOperations } from '@tiwala/contract'
import type { Failure } from '../failure.ts'

export type PartnerOperationId = keyof PartnerOperations

/** What a request carried that a check may have failed by. Held until it is looked up, never stored. */
export type Presented = Partial<Record<'secret_token' | 'partner_secret' | 'qr_value' | 'exchange_code' | 'access_token', string>>

/** A request of a partner's that was refused. */
export type Refusal = {
  requestId: string
  /** Null: it was refused before anybody looked which it is. */
  operation: PartnerOperationId | null
  failure: Failure
  /** Whose it is: proved, or only claimed by the code that it named. */
  partner: { id: number; isAuthenticated: boolean } | { secretCode: string } | { partnerCode: string }
  presented: Presented
  address: string | undefined
}
