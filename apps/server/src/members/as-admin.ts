import type { Database } from '../database/connect.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { Failure } from '../failure.ts'
import type { AuthenticatedMember } from '../operation.ts'
import { lockPartner } from '../partners/partner.sql.ts'
import { isAdmin } from './member.sql.ts'

/**
 * Runs `act` while the partner is locked. The caller must still be an admin: another admin may have removed the caller, or
 * taken the role away, after the server authenticated the request.
 */
export const asAdmin = <Result>(
  db: Database,
  { memberId, partnerId }: Pick<AuthenticatedMember, 'memberId' | 'partnerId'>,
  act: (tx: Database) => Promise<Result>,
): Promise<Result> =>
  inTransaction(db, async (tx) => {
    await lockPartner(tx, partnerId)
    if (!(await isAdmin(tx, memberId))) throw new Failure('role_not_granted')
    return act(tx)
  })
