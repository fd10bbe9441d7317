import { Failure } from '../failure.ts'
import type { PartnerRow } from './partner.ts'

export function requireScope(partner: Pick<PartnerRow, 'scopes'>, scope: PartnerRow['scopes'][number]): void {
  if (!partner.scopes.includes(scope))
    throw new Failure('scope_not_granted', { message: `The scope ${scope} is not granted to this partner` })
}
