import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'

const POLL_INTERVAL_MS = 50

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

export async function waitUntilDelivered(client: pg.Client): Promise<void> {
  while (await countPendingEvents(client)) await wait(POLL_INTERVAL_MS)
}
