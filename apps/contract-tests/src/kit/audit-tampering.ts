// Fills an audit, changes its rows directly in the database, and restores them.
import type { Schemas } from '@tiwala/contract'
import { sql } from 'kysely'
import { verifyAll } from './audit.ts'
import type { Leaf, Tampering, Target } from './tampering.ts'
import type { TestService } from './test-service.ts'

const TABLES = ['audit_event', 'audit_checkpoint', 'audit_leaf']

/**
 * Concurrent writers insert rows in transactions of one to five rows. Every 50th transaction is rolled
 * back.
 */
export async function fillAudit({ db }: TestService, writers: number, rowsOfEach: number): Promise<number> {
  async function write(writer: number): Promise<number> {
    let written = 0
    for (let round = 0; written < rowsOfEach; round++) {
      const rows = Math.min(1 + ((writer + round) % 5), rowsOfEach - written)
      const isLost = round % 50 === 7
      await db.transaction().execute(async (tx) => {
        await sql`
          insert into audit_event (kind, partner_id, citizen_id, tracking_no, request_id, actor, detail)
          select 'profile.disclosed', ${writer}, n, lpad(n::text, 26, '0'),
                 'req_' || ${round}::int || '_' || n, 'writer-' || ${writer}::int, 'row ' || n
            from generate_series(1, ${rows}::int) n`.execute(tx)
        if (isLost) await sql`rollback`.execute(tx)
      })
      if (!isLost) written += rows
    }
    return written
  }
  const counts = await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Disables the insert-only triggers, and copies the tables so that their rows can be restored. */
export async function allowTampering({ db }: TestService): Promise<void> {
  for (const table of TABLES) {
    await sql.raw(`alter table ${table} disable trigger insert_only`).execute(db)
    await sql.raw(`create table kept_${table} as table ${table}`).execute(db)
    const key = { audit_event: 'id', audit_checkpoint: 'number', audit_leaf: 'checkpoint' }[table]
    await sql.raw(`create index on kept_${table} (${key})`).execute(db)
  }
}

/**
 * Random events, each the only one of its transaction, neither first nor last in its checkpoint, with later
 * checkpoints after it.
 */
export async function pickTarget({ db }: TestService): Promise<Target> {
  const { rows } = await sql<Leaf & { last: number }>`
    with placed as (
      select l.checkpoint, l.position, l.event_id, e.kind, e.xid,
             max(l.position) over (partition by l.checkpoint) as last,
             lag(e.xid) over one_by_one as xid_before, lead(e.xid) over one_by_one as xid_behind
        from kept_audit_leaf l join kept_audit_event e on e.id = l.event_id
      window one_by_one as (partition by l.checkpoint order by l.position)
    ), fit as (
      select * from placed
       where kind = 'profile.disclosed' and xid_before <> xid and xid_behind <> xid
         and checkpoint < (select max(checkpoint) - 1 from placed)
    ), chosen as (
      select checkpoint from fit group by checkpoint having count(*) > 2 order by random() limit 1
    )
    select checkpoint, position, event_id, last from fit join chosen using (checkpoint)
     order by random() limit 20`.execute(db)
  const [a, ...others] = rows.toSorted((one, other) => one.position - other.position)
  const b = others.find(({ position }) => position > a!.position + 1)
  return { a: a!, b: b!, last: a!.last }
}

/** Applies a tampering, verifies the audit, restores the rows, and returns the fault that was found. */
export async function findFaultAfter(
  service: TestService,
  { act }: Tampering,
  target: Target,
  from: number,
): Promise<Schemas['AuditFault'] | null> {
  for (const statement of act(target)) await sql.raw(statement).execute(service.db)
  const { fault } = await verifyAll(service.operator, from)
  await restoreRows(service, target)
  return fault
}

async function restoreRows({ db }: TestService, { a, b }: Target): Promise<void> {
  const [events, checkpoints] = [
    `(${a.event_id}, ${b.event_id}, ${-a.event_id})`,
    `(${a.checkpoint}, ${a.checkpoint + 1})`,
  ]
  await db.transaction().execute(async (tx) => {
    for (const statement of [
      `delete from audit_event where id in ${events}`,
      `insert into audit_event overriding system value select * from kept_audit_event where id in ${events}`,
      `delete from audit_leaf where checkpoint in ${checkpoints}`,
      `insert into audit_leaf select * from kept_audit_leaf where checkpoint in ${checkpoints}`,
      `delete from audit_checkpoint where number in ${checkpoints}`,
      `insert into audit_checkpoint select * from kept_audit_checkpoint where number in ${checkpoints}`,
    ])
      await sql.raw(statement).execute(tx)
  })
}
