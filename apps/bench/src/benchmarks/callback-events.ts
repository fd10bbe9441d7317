import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'

const POLL_INTERVAL_MS = 50
const MAX_STANDSTILL_MS = 30_000

/** Inserts events with one statement, spread evenly over the partners. */
export const insertEvents = (client: pg.Client, count: number, partnerCodes: string[]) =>
  client.query(
    `insert into callback_event (partner_id, type, data)
     select p.id, 'authorization.accepted',
            json_build_object('tracking_no', lpad(n::text, 26, '0'), 'state', 'ACCEPTED',
                              'scope', 'PROFILE_INQUIRE')
       from generate_series(1, $1::int) n
       join partner p on p.partner_code = ($2::text[])[1 + n % array_length($2::text[], 1)]`,
    [count, partnerCodes],
  )

export async function countPendingEvents(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from callback_event where status = 'PENDING'`,
  )
  return rows[0]!.count
}

/** Rejects if no event is delivered for `MAX_STANDSTILL_MS`. */
export async function waitUntilDelivered(client: pg.Client): Promise<void> {
  let least = Infinity
  let progressAtMs = performance.now()
  for (;;) {
    const pending = await countPendingEvents(client)
    if (pending === 0) return
    if (pending < least) [least, progressAtMs] = [pending, performance.now()]
    if (performance.now() - progressAtMs > MAX_STANDSTILL_MS)
      throw new Error(`${pending} events are not delivered: ${await outcomesOf(client)}`)
    await wait(POLL_INTERVAL_MS)
  }
}

async function outcomesOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ outcome: string }>(
    `select distinct coalesce(last_outcome, 'not attempted') as outcome
       from callback_event where status = 'PENDING'`,
  )
  return rows.map(({ outcome }) => outcome).join(', ')
}
