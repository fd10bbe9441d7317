import { type RawBuilder, sql } from 'kysely'
import { NOW } from '../database/clock.ts'
import type { Access } from './partner.ts'

type Value = RawBuilder<unknown> | number | string

/**
 * The condition that the access of a partner `p` by its credential `k` is current: the partner is active, has
 * the scope and has not changed since it was authenticated, and the credential is neither revoked nor
 * expired.
 */
export const currentAccessCondition = (accessVersion: Value, scope: Value, now = NOW): RawBuilder<boolean> =>
  sql<boolean>`(p.status = 'ACTIVE' and ${scope} = any(p.scopes) and p.access_version = ${accessVersion}
       and k.revoked_at is null and ${now} < k.expires_at)`

/** The same condition as a subquery, for statements without a partner `p` and a credential `k`. */
export const currentAccessExists = (access: Record<keyof Access, Value>, scope: Value): RawBuilder<boolean> =>
  sql<boolean>`exists (
      select from partner p join credential k on k.partner_id = p.id
       where p.id = ${access.partnerId} and k.id = ${access.credentialId}
         and ${currentAccessCondition(access.accessVersion, scope)})`
