import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { CredentialKind } from '../credentials/store.ts'

/** Until when the newest valid secret of each kind is good. */
export async function findSecretExpiries(db: Database, partnerId: number): Promise<Map<CredentialKind, Date>> {
  const { rows } = await sql<{ kind: CredentialKind; expires_at: Date }>`
    select distinct on (kind) kind, expires_at from credential
     where partner_id = ${partnerId} and revoked_at is null and clock_now() < expires_at
     order by kind, id desc`.execute(db)
  return new Map(rows.map(({ kind, expires_at }) => [kind, expires_at]))
}
