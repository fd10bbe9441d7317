import { sql } from 'kysely'
import { insertAdminAudit, type AdminAction } from '../audit/insert-audit.sql.ts'
import type { Database } from '../database/connect.ts'
import type { CredentialUse } from './checks.ts'

/** The secrets of a partner, the newest first. */
export async function findCredentialUses(db: Database, partnerId: number): Promise<CredentialUse[]> {
  const { rows } = await sql<CredentialUse>`
    select kind, created_at, to_char(last_used_on, 'YYYY-MM-DD') as last_used_on from credential
     where partner_id = ${partnerId} order by id desc limit 100`.execute(db)
  return rows
}

/** The sign-ins of a partner, the newest first. Those by OpenID Connect always have a code challenge. */
export async function findSignIns(
  db: Database,
  partnerId: number,
  limit: number,
): Promise<{ is_bound: boolean }[]> {
  const { rows } = await sql<{ is_bound: boolean }>`
    select e.kind = 'sign_in.approved' or e.detail is not null as is_bound
      from unnest(array['code.issued', 'sign_in.approved']) as k (name)
     cross join lateral (
       select * from audit_event a where a.partner_id = ${partnerId} and a.kind = k.name
        order by a.occurred_at desc, a.id desc limit ${limit}
     ) e order by e.occurred_at desc, e.id desc limit ${limit}`.execute(db)
  return rows
}

/** Writes the report of a partner into the audit; returns when. */
export async function auditReport(
  db: Database,
  partnerId: number,
  action: Omit<AdminAction, 'kind'>,
): Promise<Date> {
  const { rows } = await sql<{ occurred_at: Date }>`
    with own as (
      select ${partnerId}::bigint as id
    ), audit as (${insertAdminAudit({ ...action, kind: 'report.written', from: 'own', partner: 'id' })})
    select occurred_at from audit`.execute(db)
  return rows[0]!.occurred_at
}
