import { sql } from 'kysely'
import type { ApprovalKind } from '../approvals/approval.ts'
import { lockCitizens } from '../citizens/citizen-lock.sql.ts'
import type { Database } from '../database/connect.ts'

/** Who decides. */
export type Person = { actor: string; subject: string; partnerId?: number; isOnlyOwn?: boolean }

/**
 * Locks the partner or the citizen of an approval, so that decisions and changes follow each other. `undefined`: there is no
 * such approval, or the person may not withdraw it: a member withdraws those of the settings of the partner `partnerId`, an
 * administrator the own ones (`isOnlyOwn`). `is_own`: the person who decides is the one who asked, who may also be a member
 * with the same subject at the same issuer.
 */
export async function lockApproval(
  tx: Database,
  approvalId: string,
  { actor, subject, partnerId, isOnlyOwn = false }: Person,
): Promise<{ kind: ApprovalKind; is_own: boolean } | undefined> {
  const { rows } = await sql<{ kind: ApprovalKind; is_own: boolean }>`
    with a as (
      select *, requested_by = ${actor} or exists (
               select from member m where m.member_id = approval.requested_by and m.subject = ${subject}
             ) as is_own
        from approval
       where approval_id = ${approvalId}
         and (${partnerId ?? null}::bigint is null or (partner_id = ${partnerId ?? null} and kind = 'settings'))
         and (not ${isOnlyOwn} or (requested_by = ${actor} and kind <> 'settings'))
    ), p as (
      select from partner where id = (select partner_id from a) for no key update
    ), ${lockCitizens('exclusive', sql`select citizen_id from a where citizen_id is not null`)}
    select kind, is_own, (select count(*) from p), (select count(*) from locked_citizen) from a`.execute(tx)
  return rows[0]
}
