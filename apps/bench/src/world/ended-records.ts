import { withDatabase } from '../postgres/databases.ts'
import { tell } from '../tell.ts'

const AT_ONCE = 50_000
const TOLD_EVERY = 500_000
const WRITERS = 2

/**
 * Fills the table with records that ended in the last 80 days, without a snapshot, as most are in life. Every constraint and every
 * index of production stands; only the look at each row's partner and citizen is spared, who are there by construction.
 */
export async function insertEnded(url: string, count: number): Promise<void> {
  let next = 1
  const work = () =>
    withDatabase(url, async (client) => {
      await client.query('set session_replication_role = replica')
      for (let from = next; from <= count; from = next) {
        next = from + AT_ONCE
        const to = Math.min(count, next - 1)
        await client.query(INSERT, [from, to])
        if (to % TOLD_EVERY === 0) tell(`  ${to.toLocaleString('en')} of ${count.toLocaleString('en')} ended records`)
      }
    })
  await Promise.all(Array.from({ length: WRITERS }, work))
}

/** Identities of real records are random below 2^53, so that these small ones meet none of them. */
const INSERT = `
  with parties as (
    select (select id from partner limit 1) as partner_id, (select array_agg(id) from citizen) as citizens, clock_now() as now_is
  ), made as (
    select n, md5(n::text) as hash, now_is - make_interval(secs => n::bigint * 7919 % (80 * 86400)) as ended_at
      from generate_series($1::int, $2::int) n, parties
  )
  insert into authorization_record
         (id, partner_id, citizen_id, tracking_no, scope, state, qr_value, requested_at, expires_at, accepted_at, ended_at)
  select n, partner_id, citizens[1 + n % array_length(citizens, 1)], upper(left(hash, 26)), 'PROFILE_INQUIRE',
         case n % 4 when 0 then 'DECLINED' when 1 then 'CANCELLED' when 2 then 'EXPIRED' else 'ACCEPTED' end, 'TWQ1' || upper(hash),
         ended_at - interval '5 minutes', ended_at, case when n % 4 = 3 then ended_at end, ended_at
    from made, parties`
