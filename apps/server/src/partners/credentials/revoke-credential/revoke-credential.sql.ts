import { sql } from 'kysely'
import { type AdminAction, insertAdminAudit } from '../../../audit/insert-audit.sql.ts'
import type { PartnerWriter } from '../../partner-cache.ts'
import { CREDENTIAL_COLUMNS } from '../credential.sql.ts'
import type { CredentialRow } from '../credential.ts'

/**
 * Revokes a credential; a revoked one does not change. `undefined`: this partner has no such credential.
 * `is_changed`: it is revoked now.
 *
 * - `locked_credential`: locks the credential.
 * - `revoked_credential`: the credential, if it is revoked now.
 * - `audit`: one row if it is revoked now, in the same transaction.
 */
export async function revokeStoredCredential(
  { db, partnerCache }: PartnerWriter,
  partnerCode: string,
  id: string,
  action: AdminAction,
): Promise<(CredentialRow & { is_changed: boolean }) | undefined> {
  const { rows } = await sql<CredentialRow & { is_changed: boolean }>`
    with locked_credential as (
      select c.* from credential c join partner p on p.id = c.partner_id
       where p.partner_code = ${partnerCode} and c.credential_id = ${id} for update of c
    ), revoked_credential as (
      update credential c set revoked_at = clock_now()
        from locked_credential l where c.id = l.id and l.revoked_at is null returning c.*
    ), audit as (${insertAdminAudit({ ...action, from: 'revoked_credential', partner: 'partner_id' })})
    select ${CREDENTIAL_COLUMNS}, exists (select from revoked_credential) as is_changed from (
      select * from revoked_credential
      union all select * from locked_credential where revoked_at is not null
    ) c`.execute(db)
  partnerCache.invalidate()
  return rows[0]
}
