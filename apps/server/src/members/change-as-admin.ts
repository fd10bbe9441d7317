import type { Schemas } from '@tiwala/contract'
import type { Database } from '../database/connect.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { Failure } from '../failure.ts'
import type { AuthenticatedMember, Service } from '../operation.ts'
import { lockPartner } from '../partners/partner.sql.ts'
import { isAdmin } from './member.sql.ts'
import { type MemberRow, refuseOwnMembership, toMember, unknownMember } from './member.ts'

/**
 * Changes another member. The partner is locked, and the caller must still be an admin: two admins who remove each other at
 * once would otherwise leave the partner without one.
 */
export async function changeAsAdmin(
  { db }: Pick<Service, 'db'>,
  { memberId: callerId, partnerId }: AuthenticatedMember,
  memberId: string,
  change: (tx: Database) => Promise<MemberRow | undefined>,
): Promise<Schemas['Member']> {
  if (memberId === callerId) throw refuseOwnMembership()
  const row = await inTransaction(db, async (tx) => {
    await lockPartner(tx, partnerId)
    if (!(await isAdmin(tx, callerId))) throw new Failure('role_not_granted')
    return change(tx)
  })
  if (!row) throw unknownMember()
  return toMember(row)
}
