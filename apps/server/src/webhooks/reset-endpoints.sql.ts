import { type RawBuilder, sql } from 'kysely'

/**
 * Forgets the failures of the endpoints of the partners in the CTE `source` (a column `id`): they were those
 * of another URL, or are repaired.
 */
export function resetEndpoints(source: string): RawBuilder<unknown> {
  return sql`update callback_endpoint d set disabled_at = null, is_failing = false
      from ${sql.raw(source)} s where d.partner_id = s.id and (d.disabled_at is not null or d.is_failing)
    returning s.id`
}
