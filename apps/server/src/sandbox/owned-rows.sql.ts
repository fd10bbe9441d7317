// The rows of a sandbox in the tables of every noun, to make them older and to delete them. A table has one
// writer; this file is the one exception, so that no other folder has statements for sandboxes. A live
// service never runs these statements.
//
// The clock of a sandbox: the clock of the database does not move. Everything that belongs to the sandbox
// gets older instead, so that to its partner and its citizens time has passed. The audit is never changed, so
// its times stay.
import { type RawBuilder, sql } from 'kysely'
import { lockCitizens } from '../citizens/citizen-lock.sql.ts'
import type { Database } from '../database/connect.ts'
import { deleteOldRows } from '../database/delete-old-rows.ts'
import { EVENT_NOTICE, RECORD_NOTICE } from '../database/notifications.ts'
import type { Sandbox } from './sandboxes.sql.ts'

type Owned = Pick<Sandbox, 'id' | 'partner_id' | 'citizen_ids'>
type Owner = 'partner' | 'citizens' | 'both' | 'sandbox'

const OF: Record<Owner, (sandbox: Owned) => RawBuilder<unknown>> = {
  partner: ({ partner_id }) => sql`partner_id = ${partner_id}`,
  citizens: ({ citizen_ids }) => sql`citizen_id = any(${citizen_ids})`,
  /** Rows between the partner and a citizen of another sandbox belong to neither. */
  both: (sandbox) => sql`${OF.partner(sandbox)} and ${OF.citizens(sandbox)}`,
  sandbox: ({ id }) => sql`sandbox = ${id}`,
}

/** Each table with rows of sandboxes: whose they are, and their times. */
const TABLES: { name: string; of: Owner; times: string[] }[] = [
  { name: 'qr_code', of: 'citizens', times: ['expires_at', 'used_at'] },
  {
    name: 'authorization_record',
    of: 'both',
    times: ['requested_at', 'expires_at', 'accepted_at', 'ended_at', 'snapshot_until'],
  },
  { name: 'exchange_code', of: 'both', times: ['expires_at', 'redeemed_at'] },
  { name: 'access_token', of: 'both', times: ['expires_at', 'used_at', 'revoked_at'] },
  {
    name: 'sign_in_request',
    of: 'partner',
    times: ['requested_at', 'expires_at', 'answered_at', 'authenticated_at', 'disclosed_at'],
  },
  { name: 'partner_sign_in', of: 'partner', times: [] },
  { name: 'sign_in_purpose', of: 'partner', times: [] },
  { name: 'credential', of: 'partner', times: ['created_at', 'expires_at', 'revoked_at', 'reminded_at'] },
  { name: 'partner_usage', of: 'partner', times: [] },
  { name: 'partner_figure', of: 'partner', times: [] },
  { name: 'partner_use', of: 'partner', times: [] },
  {
    name: 'callback_event',
    of: 'partner',
    times: ['occurred_at', 'last_attempt_at', 'next_attempt_at', 'delivered_at'],
  },
  { name: 'callback_endpoint', of: 'partner', times: ['disabled_at'] },
  { name: 'webhook_secret', of: 'partner', times: ['previous_until'] },
  { name: 'diagnosis', of: 'partner', times: ['occurred_at'] },
  // It disputes an event of the audit, which does not get older.
  { name: 'dispute', of: 'both', times: [] },
  { name: 'partner_request', of: 'partner', times: ['received_at'] },
  // Their sessions do not get older: a visitor stays signed in.
  { name: 'member', of: 'partner', times: ['invited_at', 'signed_in_at', 'removed_at'] },
  { name: 'approval', of: 'partner', times: ['requested_at', 'expires_at', 'decided_at'] },
  {
    name: 'anomaly',
    of: 'partner',
    times: ['began_at', 'ended_at', 'acknowledged_at'],
  },
  { name: 'sandbox_event', of: 'sandbox', times: ['received_at'] },
]

/** Makes everything of a sandbox older. `announceOlder` follows the commit. */
export async function makeOlder(tx: Database, sandbox: Owned, seconds: number): Promise<void> {
  for (const { name, of, times } of TABLES.filter((table) => table.times.length > 0)) {
    const older = times.map(
      (time) => sql`${sql.ref(time)} = ${sql.ref(time)} - make_interval(secs => ${seconds})`,
    )
    await sql`update ${sql.table(name)} set ${sql.join(older)} where ${OF[of](sandbox)}`.execute(tx)
  }
}

/** Wakes the requests and workers for which an older sandbox changes something. */
export async function announceOlder(db: Database, sandbox: Owned): Promise<void> {
  await sql`
    select ${RECORD_NOTICE} from authorization_record r where ${OF.both(sandbox)} and state = 'PENDING'
    union all select ${EVENT_NOTICE}`.execute(db)
}

/**
 * Deletes at most `limit` requests and QR codes of a sandbox. False: there are no more. A visitor can make millions in a
 * day, too many for one statement.
 */
export async function deleteSomeOwnedRows(db: Database, sandbox: Owned, limit: number): Promise<boolean> {
  const requests = await deleteOldRows(db, 'partner_request', ['request_id'], OF.partner(sandbox), limit)
  const codes = await deleteOldRows(db, 'qr_code', ['id'], OF.citizens(sandbox), limit)
  return requests === limit || codes === limit
}

/**
 * Deletes everything of a sandbox except the audit, and the partner if the audit or a QR code of another sandbox
 * names it. The partner then keeps no secret and is suspended. No later sandbox uses it or its id, so nothing that
 * a process remembers of it counts for another visitor.
 */
export async function deleteOwnedRows(tx: Database, sandbox: Owned): Promise<void> {
  // First, since every statement that needs both locks takes those of citizens before those of records.
  await sql`
    with ${lockCitizens('exclusive', sql`select unnest(${sandbox.citizen_ids}::bigint[])`)}
    delete from citizen c using locked_citizen l where c.id = l.id`.execute(tx)
  // Also those of partners of other sandboxes.
  const ofCitizens = TABLES.filter(({ of }) => of === 'citizens' || of === 'both').map(({ name }) => name)
  for (const name of [...ofCitizens, 'sign_in_request'])
    await sql`delete from ${sql.table(name)} where ${OF.citizens(sandbox)}`.execute(tx)
  for (const { name } of TABLES.filter(({ of }) => of === 'partner' || of === 'both'))
    await sql`delete from ${sql.table(name)} where ${OF.partner(sandbox)}`.execute(tx)
  await sql`
    update partner set callback_url = null, status = 'SUSPENDED' where id = ${sandbox.partner_id}`.execute(tx)
  await sql`delete from sandbox where id = ${sandbox.id}`.execute(tx)
  // A statement of its own, so that the next one sees what others have written about the partner.
  await sql`select from partner where id = ${sandbox.partner_id} for update`.execute(tx)
  await sql`
    delete from partner where id = ${sandbox.partner_id}
       and not exists (select from audit_event where partner_id = ${sandbox.partner_id})
       and not exists (select from qr_code where partner_id = ${sandbox.partner_id})`.execute(tx)
}
