import type { Schemas } from '@tiwala/contract'
import { type RawBuilder, sql } from 'kysely'

/**
 * The body of a CTE `event`, inside the statement that the event reports: both are committed together or not
 * at all. Inserts one event for each row of the CTE `source` whose partner has a callback URL. `source` has
 * the column partner_id and the columns that `data` reads from `s`. A subquery instead of a join: for a join
 * PostgreSQL may first search all partners with a callback URL. Without `traceparent`, `source` also has the
 * column traceparent: a batched statement serves several requests.
 */
export function insertEvent(
  source: string,
  type: Schemas['EventType'],
  data: RawBuilder<unknown>,
  traceparent?: string | null,
): RawBuilder<unknown> {
  const trace = traceparent === undefined ? sql.ref('s.traceparent') : sql`${traceparent}::text`
  return sql`insert into callback_event (partner_id, type, data, traceparent)
    select s.partner_id, ${type}, ${data}, ${trace} from ${sql.raw(source)} s
     where (select p.callback_url is not null from partner p where p.id = s.partner_id)`
}
