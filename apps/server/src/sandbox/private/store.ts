import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Behaviour } from '../bootstrap-format.ts'

/** The key of the advisory lock. Nothing else uses this number. */
const CREATION_LOCK_KEY = 7_410_203

/**
 * A private sandbox, and whose times its visitor may move. It lives by the time of the database: neither
 * its own clock nor the shared one ends it.
 */
export type PrivateSandbox = {
  id: number
  sandbox_id: string
  partner_id: number
  partner_code: string
  citizen_ids: number[]
  expires_at: Date
  advanced_seconds: number
}

/** The columns of `PrivateSandbox`, of a sandbox `s` and its partner `p`. */
const COLUMNS = sql`s.id, s.sandbox_id, s.partner_id, p.partner_code, s.expires_at, s.advanced_seconds,
  array(select citizen_id from sandbox_citizen c where c.sandbox = s.id)::bigint[] as citizen_ids`

/** `undefined`: there is none, or its time is over. */
export async function findSandbox(db: Database, sandboxId: string): Promise<PrivateSandbox | undefined> {
  const { rows } = await sql<PrivateSandbox>`
    select ${COLUMNS} from sandbox s join partner p on p.id = s.partner_id
     where s.sandbox_id = ${sandboxId} and now() < s.expires_at`.execute(db)
  return rows[0]
}

/** `undefined`: the partner has no private sandbox, or its time is over. */
export async function findSandboxOf(db: Database, partnerCode: string): Promise<PrivateSandbox | undefined> {
  const { rows } = await sql<PrivateSandbox>`
    select ${COLUMNS} from sandbox s join partner p on p.id = s.partner_id
     where p.partner_code = ${partnerCode} and now() < s.expires_at`.execute(db)
  return rows[0]
}

/** The sandboxes whose time is over. */
export async function findEnded(db: Database, limit: number): Promise<PrivateSandbox[]> {
  const { rows } = await sql<PrivateSandbox>`
    select ${COLUMNS} from sandbox s join partner p on p.id = s.partner_id
     where s.expires_at <= now() order by s.expires_at limit ${limit}`.execute(db)
  return rows
}

/** Waits for other creations, until the transaction ends, so that two of them cannot exceed a limit. */
export async function lockCreation(tx: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(CREATION_LOCK_KEY)})`.execute(tx)
}

export type Occupancy = { count: number; of_address: number; seconds_until_free: number; free_slot: number }

/**
 * How many sandboxes exist, how many the address has, when the next one of either ends, and the lowest free
 * slot.
 */
export async function readOccupancy(db: Database, addressHmac: string): Promise<Occupancy> {
  const { rows } = await sql<Occupancy>`
    select count(*) as count, count(*) filter (where address_hmac = ${addressHmac}) as of_address,
           greatest(1, ceil(extract(epoch from min(expires_at) - now())))::int as seconds_until_free,
           (select min(n) from (
              select 1 as n union all select slot + 1 from sandbox
           ) s where not exists (select from sandbox t where t.slot = s.n))::int as free_slot
      from sandbox`.execute(db)
  return rows[0]!
}

type NewSandbox = { sandboxId: string; slot: number; partnerCode: string; addressHmac: string; hours: number }

/** Inserts a sandbox with its partner; returns when it ends. */
export async function insertSandbox(
  db: Database,
  { sandboxId, slot, partnerCode, addressHmac, hours }: NewSandbox,
): Promise<{ id: number; partner_id: number; expires_at: Date }> {
  const { rows } = await sql<{ id: number; partner_id: number; expires_at: Date }>`
    insert into sandbox (sandbox_id, slot, partner_id, address_hmac, expires_at)
    select ${sandboxId}, ${slot}::int, id, ${addressHmac}, now() + make_interval(hours => ${hours})
      from partner where partner_code = ${partnerCode}
    returning id, partner_id, expires_at`.execute(db)
  return rows[0]!
}

export type Member = { uniqid_mac: string; behaviour: Behaviour }

/** Adds citizens that exist to a sandbox, in the order of `members`. */
export async function insertMembers(db: Database, sandbox: number, members: Member[]): Promise<void> {
  await sql`
    insert into sandbox_citizen (citizen_id, sandbox, behaviour)
    select c.id, ${sandbox}::bigint, m.behaviour
      from unnest(${members.map(({ uniqid_mac }) => uniqid_mac)}::text[],
                  ${members.map(({ behaviour }) => behaviour)}::text[]) as m (uniqid_mac, behaviour)
      join citizen c using (uniqid_mac)`.execute(db)
}

/** The pending records of citizens that answer automatically, oldest first. */
export async function findPendingAnswers(
  db: Database,
): Promise<{ uniqid_mac: string; tracking_no: string; behaviour: 'accepts' | 'declines' }[]> {
  const { rows } = await sql<{ uniqid_mac: string; tracking_no: string; behaviour: 'accepts' | 'declines' }>`
    select c.uniqid_mac, r.tracking_no, m.behaviour
      from authorization_record r
      join sandbox_citizen m using (citizen_id) join citizen c on c.id = m.citizen_id
     where r.state = 'PENDING' and clock_now() < r.expires_at and m.behaviour in ('accepts', 'declines')
     order by r.requested_at limit 100`.execute(db)
  return rows
}

/** False: all moves together would exceed `maxSeconds`. Locks the sandbox, so moves run one after another. */
export async function addAdvance(
  db: Database,
  sandbox: number,
  seconds: number,
  maxSeconds: number,
): Promise<boolean> {
  const { rows } = await sql`
    update sandbox set advanced_seconds = advanced_seconds + ${seconds}
     where id = ${sandbox} and advanced_seconds + ${seconds} <= ${maxSeconds} returning 1`.execute(db)
  return rows.length === 1
}

/** Moves the times of the requests and events of a sandbox into the past. */
export async function ageLists(db: Database, sandbox: number, seconds: number): Promise<void> {
  const age = sql`make_interval(secs => ${seconds})`
  await sql`
    with aged_request as (
      update sandbox_request set received_at = received_at - ${age} where sandbox = ${sandbox}
    )
    update sandbox_event set received_at = received_at - ${age} where sandbox = ${sandbox}`.execute(db)
}

export async function deleteSandbox(db: Database, sandbox: number): Promise<void> {
  await sql`delete from sandbox where id = ${sandbox}`.execute(db)
}

/** The inbox refuses so many of the next deliveries. */
export async function setRefusedDeliveries(db: Database, sandbox: number, count: number): Promise<void> {
  await sql`update sandbox set refused_deliveries = ${count} where id = ${sandbox}`.execute(db)
}

/** True: the inbox refuses this delivery, and one fewer of the next ones. */
export async function takeRefusal(db: Database, sandbox: number): Promise<boolean> {
  const { rows } = await sql`
    update sandbox set refused_deliveries = refused_deliveries - 1
     where id = ${sandbox} and refused_deliveries > 0 returning 1`.execute(db)
  return rows.length === 1
}
