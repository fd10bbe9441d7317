import type { Schemas } from '@tiwala/contract'
import type { Database } from '../database/connect.ts'
import type { AuthenticatedMember, Service } from '../operation.ts'
import { asAdmin } from './as-admin.ts'
import { type MemberRow, refuseOwnMembership, toMember, unknownMember } from './member.ts'

/** Changes another member. Two admins who remove each other at once would otherwise leave the partner without one. */
export async function changeAsAdmin(
  { db }: Pick<Service, 'db'>,
  caller: AuthenticatedMember,
  memberId: string,
  change: (tx: Database) => Promise<MemberRow | undefined>,
): Promise<Schemas['Member']> {
  if (memberId === caller.memberId) throw refuseOwnMembership()
  const row = await asAdmin(db, caller, change)
  if (!row) throw unknownMember()
  return toMember(row)
}
