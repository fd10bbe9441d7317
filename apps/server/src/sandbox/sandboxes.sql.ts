// The sandboxes: the default one and those of visitors. In live the tables are empty.
import type { Schemas } from '@tiwala/contract'
import { type RawBuilder, sql } from 'kysely'
import { citizenAllows } from '../citizens/citizen-lock.sql.ts'
import type { Database } from '../database/connect.ts'
import { type Behavior, MAX_RECORDS } from './bootstrap-format.ts'

/** The default sandbox. Its addresses are `/sandbox/...` without an id, and it does not end. */
export const DEFAULT_ID = 'default'

/** The key of the advisory lock. Nothing else uses this number. */
const CREATION_LOCK_KEY = 7_410_204

/** A sandbox lives by the time of the database: moving its clock does not end it. */
export type Sandbox = {
  id: number
  sandbox_id: string
  partner_id: number
  partner_code: string
  callback_url: string | null
  inbox_key: string
  citizen_ids: number[]
  expires_at: Date
  advanced_seconds: number
}

const findSandboxes = async (db: Database, condition: RawBuilder<unknown>): Promise<Sandbox[]> => {
  const { rows } = await sql<Sandbox>`
    select s.id, s.sandbox_id, s.partner_id, p.partner_code, p.callback_url, s.inbox_key, s.expires_at,
           s.advanced_seconds, array(select citizen_id from sandbox_citizen c where c.sandbox = s.id)::bigint[] as citizen_ids
      from sandbox s join partner p on p.id = s.partner_id where ${condition}`.execute(db)
  return rows
}

/** `undefined`: there is none, or its time is over. */
export const findSandbox = async (db: Database, sandboxId: string): Promise<Sandbox | undefined> =>
  (await findSandboxes(db, sql`s.sandbox_id = ${sandboxId} and now() < s.expires_at`))[0]

/** Whether the partner has a sandbox whose time is not over. */
export const hasSandbox = async (db: Database, partnerCode: string): Promise<boolean> =>
  (await findSandboxes(db, sql`p.partner_code = ${partnerCode} and now() < s.expires_at`)).length > 0

/** The sandbox whose inbox has this key. `undefined`: there is none, or its time is over. */
export const findByInboxKey = async (db: Database, inboxKey: string): Promise<Sandbox | undefined> =>
  (await findSandboxes(db, sql`s.inbox_key = ${inboxKey} and now() < s.expires_at`))[0]

/** The sandboxes whose time is over. */
export const findEnded = (db: Database, limit: number): Promise<Sandbox[]> =>
  findSandboxes(db, sql`s.expires_at <= now() order by s.expires_at limit ${limit}`)

/** Waits for other creations, until the transaction ends, so that two of them cannot exceed a limit. */
export async function lockCreation(tx: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(CREATION_LOCK_KEY)})`.execute(tx)
}

/** How many sandboxes there are, and in how many seconds the next of them ends; 1 if there is none. */
export type Occupancy = Record<'all' | 'ofAddress' | 'ofNetwork', { count: number; endsInSeconds: number }>

/** The HMACs of a visitor's address and of its network. Null: the default sandbox. */
export type Visitor = { addressHmac: string | null; networkHmac: string | null }

/** The sandboxes of all visitors, of this address, and of its network. */
export async function readOccupancy(db: Database, { addressHmac, networkHmac }: Visitor): Promise<Occupancy> {
  const countOf = (condition: RawBuilder<unknown>) => sql`
    json_build_object(
      'count', count(*) filter (where ${condition}),
      'endsInSeconds', greatest(1, ceil(extract(epoch from min(expires_at) filter (where ${condition}) - now()))))`
  const { rows } = await sql<Occupancy>`
    select ${countOf(sql`true`)} as "all", ${countOf(sql`address_hmac = ${addressHmac}`)} as "ofAddress",
           ${countOf(sql`network_hmac = ${networkHmac}`)} as "ofNetwork"
      from sandbox where sandbox_id <> ${DEFAULT_ID} and now() < expires_at`.execute(db)
  return rows[0]!
}

/** `hours`: how long it lives; null: it does not end. */
export type NewSandbox = Visitor & {
  sandboxId: string
  inboxKey: string
  partnerCode: string
  hours: number | null
}

/** Inserts a sandbox with its partner, or finds it; returns when it ends. */
export async function insertSandbox(
  db: Database,
  { sandboxId, inboxKey, partnerCode, addressHmac, networkHmac, hours }: NewSandbox,
): Promise<{ id: number; expires_at: Date }> {
  const { rows } = await sql<{ id: number; expires_at: Date }>`
    insert into sandbox (sandbox_id, inbox_key, partner_id, address_hmac, network_hmac, expires_at)
    select ${sandboxId}, ${inboxKey}, id, ${addressHmac}, ${networkHmac},
           coalesce(now() + make_interval(hours => ${hours}::int), 'infinity')
      from partner where partner_code = ${partnerCode}
    on conflict (sandbox_id) do update set refused_deliveries = 0, before_condition = '{}'
    returning id, expires_at`.execute(db)
  return rows[0]!
}

export type Member = { uniqid_hmac: string; behavior: Behavior }

/** Adds citizens that exist to a sandbox. `members` may name a citizen by several HMACs. */
export async function insertMembers(db: Database, sandbox: number, members: Member[]): Promise<void> {
  await sql`
    insert into sandbox_citizen (citizen_id, sandbox, behavior)
    select c.id, ${sandbox}::bigint, m.behavior
      from unnest(${members.map(({ uniqid_hmac }) => uniqid_hmac)}::text[],
                  ${members.map(({ behavior }) => behavior)}::text[]) as m (uniqid_hmac, behavior)
      join citizen c using (uniqid_hmac)
    on conflict (citizen_id) do nothing`.execute(db)
}

type PendingAnswer = { uniqid_hmac: string; tracking_no: string; answer: 'ACCEPTED' | 'DECLINED' }

/**
 * The pending records of citizens that answer automatically, oldest first, and their answers. A citizen that refuses the
 * partner by its preferences accepts nothing, and would otherwise be among the first until the record ends.
 */
export async function findPendingAnswers(db: Database): Promise<PendingAnswer[]> {
  const { rows } = await sql<PendingAnswer>`
    select c.uniqid_hmac, r.tracking_no,
           case m.behavior when 'accepts' then 'ACCEPTED' else 'DECLINED' end as answer
      from authorization_record r
      join sandbox_citizen m using (citizen_id) join citizen c on c.id = m.citizen_id
     where r.state = 'PENDING' and clock_now() < r.expires_at
       and (m.behavior = 'declines' or m.behavior = 'accepts' and ${citizenAllows('c', sql`r.partner_id`)})
     order by r.requested_at limit 100`.execute(db)
  return rows
}

/**
 * How far the clock is moved now. `undefined`: all moves together would exceed `maxSeconds`. Locks the sandbox, so moves run
 * one after another.
 */
export async function addAdvance(
  db: Database,
  sandbox: number,
  seconds: number,
  maxSeconds: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ advanced_seconds: number }>`
    update sandbox set advanced_seconds = advanced_seconds + ${seconds}
     where id = ${sandbox} and advanced_seconds + ${seconds} <= ${maxSeconds} returning advanced_seconds`.execute(
    db,
  )
  return rows[0]?.advanced_seconds
}

/** Fields of the partner of a sandbox. */
export type Condition = Pick<Schemas['PartnerChange'], 'scopes' | 'ip_allow_list' | 'limits'> & {
  status?: Schemas['Partner']['status']
}

/** What the condition of the partner replaced. `undefined`: the sandbox has ended. */
export async function findBeforeCondition(db: Database, sandbox: number): Promise<Condition | undefined> {
  const { rows } = await sql<{ before_condition: Condition }>`
    select before_condition from sandbox where id = ${sandbox}`.execute(db)
  return rows[0]?.before_condition
}

export async function setBeforeCondition(db: Database, sandbox: number, replaced: Condition): Promise<void> {
  await sql`
    update sandbox set before_condition = ${JSON.stringify(replaced)}::jsonb where id = ${sandbox}`.execute(
    db,
  )
}

/** The tracking numbers of the newest records of a sandbox. */
export async function listTrackingNos(
  db: Database,
  { partner_id, citizen_ids }: Pick<Sandbox, 'partner_id' | 'citizen_ids'>,
): Promise<string[]> {
  const { rows } = await sql<{ tracking_no: string }>`
    select tracking_no from authorization_record
     where partner_id = ${partner_id} and citizen_id = any(${citizen_ids})
     order by requested_at desc, id desc limit ${MAX_RECORDS}`.execute(db)
  return rows.map(({ tracking_no }) => tracking_no)
}

/** The HMAC of the first citizen who answers by hand, in the sandbox of the partner of a sign-in request. */
export async function findManualCitizen(db: Database, signInId: string): Promise<string | undefined> {
  const { rows } = await sql<{ uniqid_hmac: string }>`
    select c.uniqid_hmac from sign_in_request r join sandbox s on s.partner_id = r.partner_id
      join sandbox_citizen m on m.sandbox = s.id and m.behavior = 'manual' join citizen c on c.id = m.citizen_id
     where r.id = ${signInId} order by c.id limit 1`.execute(db)
  return rows[0]?.uniqid_hmac
}
