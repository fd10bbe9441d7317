// Each statement that discloses or redeems checks every permission itself, when it runs.
// Nothing that the server read earlier counts.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startServiceForFile } from '../kit/api-client.ts'
import { countBlocked, withLongLockTimeout } from '../kit/blocked-statements.ts'
import { disclosingStatements, type Statement } from '../kit/disclosing-statements.ts'
import { DROP_AUDIT_ROWS, KEEP_AUDIT_ROWS } from '../kit/dropped-audit.ts'
import { RUN_CLOCK, STOP_CLOCK } from '../kit/stopped-clock.ts'

const { service, api } = await startServiceForFile()
const { repeatable, singleUse, accessNow } = disclosingStatements(service, api)

// Each second, housekeeping erases the copies of profiles whose time has ended. Here the time begins again
// after a test, and the control needs the copy.
await sql
  .raw(`create function keep_row() returns trigger language plpgsql as 'begin return null; end';
  create trigger keep_snapshot before update on authorization_record for each row
    when (old.snapshot is not null and new.snapshot is null and new.state = old.state)
    execute function keep_row()`)
  .execute(service.db)

type Guard = { what: string; text: string; undo: string; isAccessOld?: boolean }

const GUARDS: (statement: Statement) => Guard[] = ({ scope, kind, lifetime: { table, column } }) => [
  // These guards use the access version after the change, so that only the status or the scope can refuse.
  {
    what: 'the partner is suspended',
    text: `update partner set status = 'SUSPENDED'`,
    undo: `update partner set status = 'ACTIVE'`,
  },
  {
    what: 'the scope is withdrawn',
    text: `update partner set scopes = array_remove(scopes, '${scope}')`,
    undo: `update partner set scopes = array_append(scopes, '${scope}')`,
  },
  {
    what: 'the allow-list has changed since the caller was authenticated',
    text: `update partner set ip_allow_list = '{203.0.113.7}'`,
    undo: `update partner set ip_allow_list = '{}'`,
    isAccessOld: true,
  },
  {
    what: 'the secret is revoked',
    text: `update credential set revoked_at = clock_now() where kind = '${kind}'`,
    undo: 'update credential set revoked_at = null',
  },
  {
    what: 'the secret has expired',
    text: `update credential set expires_at = clock_now() - interval '1 second' where kind = '${kind}'`,
    undo: `update credential set expires_at = clock_now() + interval '1 year' where kind = '${kind}'`,
  },
  // With a stopped clock, a statement runs exactly when a lifetime ends.
  {
    what: 'the secret ends at this moment',
    text: `${STOP_CLOCK}; update credential set expires_at = clock_now() where kind = '${kind}'`,
    undo: `${RUN_CLOCK}; update credential set expires_at = clock_now() + interval '1 year'`,
  },
  {
    what: 'its lifetime ends at this moment',
    text: `${STOP_CLOCK}; update ${table} set ${column} = clock_now()`,
    undo: `${RUN_CLOCK}; update ${table} set ${column} = clock_now() + interval '1 hour'`,
  },
  {
    what: 'the citizen has frozen everything',
    text: 'update citizen set frozen = true',
    undo: 'update citizen set frozen = false',
  },
  {
    what: 'the citizen has blocked the partner',
    text: 'update citizen set blocked_partner_ids = array(select id from partner)',
    undo: `update citizen set blocked_partner_ids = '{}'`,
  },
]

/** After a restore, a value that the backup shows as unused may have been used after the backup. */
const RESTORED: Guard = {
  what: 'a backup was restored',
  text: 'update installation set epoch = epoch + 1',
  undo: 'update installation set epoch = epoch - 1',
}

const cases = (statements: Statement[], more: Guard[]) =>
  statements.flatMap((statement) =>
    [...GUARDS(statement), ...more].map((guard) => ({ ...statement, ...guard })),
  )

describe('a statement refuses, and uses nothing up, when', () => {
  const all = [...cases(repeatable, []), ...cases(singleUse, [RESTORED])]
  test.each(all)('$name: $what', async ({ kind, prepare, text, undo, isAccessOld }) => {
    const run = await prepare()
    const before = await accessNow(kind)
    const count = () =>
      service.countRows('audit_event', 'callback_event', 'authorization_record', 'access_token')
    await sql.raw(text).execute(service.db)
    const counted = await count()
    const isDone = await run(service.db, isAccessOld ? before : await accessNow(kind))
    const countedAfter = await count()
    await sql.raw(undo).execute(service.db)
    expect([isDone, countedAfter]).toEqual([false, counted])
    // Control: after the undo, the same statement succeeds.
    expect(await run(service.db, await accessNow(kind))).toBe(true)
  })

  test.each([...repeatable, ...singleUse])('$name: the audit drops its row', async ({ kind, prepare }) => {
    const [run, access] = [await prepare(), await accessNow(kind)]
    await sql.raw(DROP_AUDIT_ROWS).execute(service.db)
    const outcome = await run(service.db, access).catch((error: Error) => error.message)
    await sql.raw(KEEP_AUDIT_ROWS).execute(service.db)
    expect(outcome).toBe('the audit took 0 of 1 rows')
    expect(await run(service.db, access)).toBe(true)
  })

  test.each([...repeatable, ...singleUse.filter(({ name }) => name !== 'consumeToken')])(
    '$name: the credential belongs to another partner',
    async ({ kind, prepare }) => {
      const run = await prepare()
      const access = await accessNow(kind)
      const { rows } = await sql<{ id: number }>`
        with other as (
          insert into partner (partner_code, secret_code, name, purpose, scopes, ip_allow_list, limits,
                               access_version)
          select ${randomUUID()}, ${randomUUID()}, name, purpose, scopes, ip_allow_list, limits,
                 access_version from partner where id = ${access.partnerId} returning id
        )
        insert into credential (partner_id, kind, hmac, expires_at)
        select id, ${kind}, 'hmac', 'infinity' from other returning id`.execute(service.db)
      expect(await run(service.db, { ...access, credentialId: rows[0]!.id })).toBe(false)
      expect(await run(service.db, access)).toBe(true)
    },
  )
})

describe('of two concurrent statements, the second waits for the first', () => {
  /**
   * The first statement has done its work, and commits or rolls back when the second statement waits for its
   * row.
   */
  async function second({ kind, prepare }: Statement, end: 'commit' | 'rollback'): Promise<boolean> {
    const [run, access] = [await prepare(), await accessNow(kind)]
    const first = await service.db.startTransaction().execute()
    expect(await run(first, access)).toBe(true)
    const waiting = withLongLockTimeout(service.db, (tx) => run(tx, access))
    await expect.poll(() => countBlocked(service.db)).toBeGreaterThan(0)
    await first[end]().execute()
    return waiting
  }

  test.each(singleUse)('$name: the second does nothing after the first commits', async (statement) => {
    expect(await second(statement, 'commit')).toBe(false)
  })

  test.each(singleUse)('$name: the second does its work after the first rolls back', async (statement) => {
    expect(await second(statement, 'rollback')).toBe(true)
  })
})
