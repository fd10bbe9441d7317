import { sql } from 'kysely'
import { type BatchRow, batched, list } from '../database/batch.ts'
import type { Database } from '../database/connect.ts'
import { countAttempts } from '../figures/figures.sql.ts'

export type AttemptResult = {
  id: number
  /** As the claim of the attempt returned it. */
  claimedUntil: string
  /** Where it was attempted. */
  callbackUrl: string | null
  status: 'PENDING' | 'DELIVERED' | 'DEAD'
  outcome: string
  durationMs: number
  nextDelaySeconds: number | null
  /** The partner's server wants no more events (410 Gone). */
  disablesEndpoint: boolean
}

/** Of each event so many attempts are kept, the last ones. */
const MAX_LOGGED = 20

/**
 * Stores the outcomes of attempts and the next state of their events, and ends the claims, batched. Returns
 * the stored ones. An outcome is discarded if the event does not have the claim of the attempt any more: the
 * delivery was restarted since, or the claim ended and another process claimed the event.
 *
 * A failure of a URL that the partner has replaced since says nothing of the new one: the event is due again.
 *
 * - `input`: the results of the attempts, and whether one is such a failure.
 * - `statement_time`: the time, read once.
 * - `attempted_event`: the events, with the next attempt or their final state.
 * - `figure`: the attempts, counted for the figures of the partner.
 * - `endpoint_state`: the state of each endpoint after the last of its attempts in the batch.
 * - `endpoint`: its row, written only if it changes.
 */
export const recordAttempt = batched(async (db: Database, results: AttemptResult[]) => {
  const column = (name: keyof AttemptResult) => results.map((result) => result[name])
  const inputNumbers = results.map((_, index) => index + 1)
  const { rows } = await sql<BatchRow & Pick<AttemptResult, 'status'>>`
    with input as (
      select i.*, i.status <> 'DELIVERED' and i.callback_url is distinct from (
               select p.callback_url from callback_event e join partner p on p.id = e.partner_id where e.id = i.id
             ) as is_outdated
        from unnest(${list(inputNumbers, 'bigint')}, ${list(column('id'), 'bigint')},
                           ${list(column('claimedUntil'), 'text')}, ${list(column('status'), 'text')},
                           ${list(column('outcome'), 'text')}, ${list(column('nextDelaySeconds'), 'float8')},
                           ${list(column('disablesEndpoint'), 'boolean')},
                           ${list(column('durationMs'), 'bigint')}, ${list(column('callbackUrl'), 'text')})
             as i (input_no, id, claimed_until, status, outcome, delay_seconds, disables_endpoint, duration_ms,
                   callback_url)
    ), statement_time as materialized (
      select clock_now() as now
    ), attempted_event as (
      update callback_event e
         set attempts = e.attempts + 1, last_attempt_at = now, last_outcome = i.outcome,
             status = case when is_outdated then 'PENDING' else i.status end, claimed_until = null,
             next_attempt_at = now + make_interval(secs => case when is_outdated then 0 else i.delay_seconds end),
             delivered_at = case when i.status = 'DELIVERED' then now end,
             attempt_log = (e.attempt_log || json_build_object(
               'after_ms', (extract(epoch from date_trunc('milliseconds', now)
                               - date_trunc('milliseconds', e.occurred_at)) * 1000)::bigint,
               'outcome', i.outcome, 'duration_ms', i.duration_ms
             ))[greatest(cardinality(e.attempt_log) + 2 - ${MAX_LOGGED}, 1):]
        from input i, statement_time
       where e.id = i.id and e.claimed_until = i.claimed_until::timestamptz
      returning e.partner_id, i.input_no, e.status, i.disables_endpoint, is_outdated
    ), figure as (${countAttempts('attempted_event')}
    ), endpoint_state as (
      select distinct on (partner_id) partner_id, status <> 'DELIVERED' as is_failing,
             case when bool_or(disables_endpoint) over (partition by partner_id) then now end as disabled_at
        from attempted_event, statement_time where not is_outdated order by partner_id, input_no desc
    ), endpoint as (
      insert into callback_endpoint as stored (partner_id, is_failing, disabled_at)
      select partner_id, s.is_failing, s.disabled_at
        from endpoint_state s left join callback_endpoint d using (partner_id)
       where coalesce(d.is_failing, false) <> s.is_failing or s.disabled_at is not null order by partner_id
      on conflict (partner_id) do update
         set is_failing = excluded.is_failing,
             disabled_at = coalesce(excluded.disabled_at, stored.disabled_at)
    )
    select input_no, status from attempted_event`.execute(db)
  return rows
})
