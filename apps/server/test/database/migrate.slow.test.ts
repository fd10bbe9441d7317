// The migration from the schema of an earlier version. `unusable-databases.ts` has the schemas that a start
// refuses.
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { migrate, readSchemaState } from '../../src/database/migrate.ts'
import { connectPatiently } from '../kit/connect.ts'
import { temporaryDatabase } from '../kit/temporary-resources.ts'
import { EMPTY } from './unusable-databases.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)
const names = (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).toSorted()

/** The statements of UPGRADING.md that an operator may run before the audit moves to partitions. */
async function constraintsOfUpgrading(): Promise<string> {
  const text = await readFile(new URL('../../UPGRADING.md', import.meta.url), 'utf8')
  return /```sql\n(alter table audit_event .*?)```/s.exec(text)![1]!
}

/** A database with the schema of the first migration. */
async function startOnFirstSchema() {
  const database = await temporaryDatabase(EMPTY)
  const [opened, admin] = [connectPatiently(database.url), new pg.Client(database.url)]
  await admin.connect()
  const first = await readFile(new URL(names[0]!, FOLDER), 'utf8')
  await admin.query(`create table kysely_migration (name text primary key, timestamp text not null);
    do $migration$ begin ${first} end $migration$;
    insert into kysely_migration values ('${names[0]!.replace('.sql', '')}', now())`)
  const dispose = async () => {
    await opened.close()
    await admin.end()
    await database[Symbol.asyncDispose]()
  }
  return { url: database.url, db: opened.unbounded, admin, [Symbol.asyncDispose]: dispose }
}

test('a schema that is older than this program is brought up to date', async () => {
  await using old = await startOnFirstSchema()
  const newest = names.at(-1)!.replace('.sql', '')
  expect(await readSchemaState(old.db)).toEqual({ newest, missing: names.length - 1 })
  await migrate(old.db)
  expect(await readSchemaState(old.db)).toEqual({ newest, missing: 0 })
})

test('an upgrade loses no record: each keeps its values, and is found by its number', async () => {
  await using old = await startOnFirstSchema()
  // The numbers of earlier versions are random. Some begin like those of this version.
  await old.admin.query(`
    insert into partner (partner_code, secret_code, name, purpose, scopes, ip_allow_list, limits)
    values ('A', 'A', 'A', 'A', '{}', '{}', '{}');
    insert into citizen (uniqid_hmac, subject) values ('a', gen_random_uuid());
    insert into authorization_record (id, partner_id, citizen_id, tracking_no, scope, state, qr_value, requested_at, expires_at)
    select n, 1, 1, upper(substr('0123456789abcdefghjkmnpqrstvwxyz', n % 32 + 1, 1) || left(md5(n::text), 25)),
           'PROFILE_INQUIRE', 'PENDING', 'QR' || n, now() - make_interval(secs => n), now() from generate_series(1, 3200) n`)
  const all = 'select * from authorization_record order by id'
  const before = await old.admin.query(all)
  await migrate(old.db)
  expect((await old.admin.query(all)).rows).toEqual(before.rows)
  const { rows } = await old.admin.query<{ partition: string; count: number }>(`
    select r.tableoid::regclass::text as partition, count(*)::int from authorization_record r
     where (select id from authorization_record o where o.partner_id = 1 and o.tracking_no = r.tracking_no) = r.id
     group by 1 order by 1`)
  expect(rows).toEqual([
    { partition: 'authorization_record_default', count: 100 },
    { partition: 'authorization_record_untimed', count: 3_100 },
  ])
})

test('an upgrade loses no audit event: each keeps its values, and new ones follow in a partition of their month', async () => {
  await using old = await startOnFirstSchema()
  await old.admin.query(`
    insert into audit_event (kind, request_id, xid, occurred_at)
    select 'test', 'req_' || n, '3', now() - make_interval(hours => n) from generate_series(1, 2000) n;
    insert into audit_leaf select id / 100, id % 100, id, 'hash' || id from audit_event where id <= 1500`)
  await old.admin.query(await constraintsOfUpgrading())
  const all = `select e.id, e.xid, e.occurred_at, e.kind, e.request_id, l.checkpoint, l.position, l.hash
    from audit_event e left join audit_leaf l on l.event_id = e.id order by e.id`
  const before = await old.admin.query(all)
  await migrate(old.db)
  expect((await old.admin.query(all)).rows).toEqual(before.rows)
  await old.admin.query(`insert into audit_event (kind, request_id) values ('test', 'req_new')`)
  const { rows } = await old.admin.query<{ partition: string; count: number }>(`
    select e.tableoid::regclass::text as partition, count(*)::int, max(id) = (select max(id) from audit_event) as is_newest
      from audit_event e group by 1 order by 1`)
  expect(rows).toEqual([
    { partition: expect.stringMatching(/^audit_event_\d{6}$/), count: 1, is_newest: true },
    { partition: 'audit_event_past', count: 2_000, is_newest: false },
  ])
})

test('this program starts on the schema of the next version, but not on one that it cannot use', async () => {
  await using database = await startOnFirstSchema()
  await migrate(database.db)
  const newest = names.at(-1)!.replace('.sql', '')
  const apply = (name: string, needs: string) =>
    database.admin.query(`insert into kysely_migration values ('${name}', now(), '${needs}')`)
  await apply('9998_next', newest)
  await migrate(database.db)
  expect(await readSchemaState(database.db)).toEqual({ newest, missing: 0 })
  await apply('9999_after_next', '9998_next')
  const refusal = /schema is newer than this program \(9999_after_next\); nothing was changed/
  await expect(migrate(database.db)).rejects.toThrow(refusal)
  await expect(readSchemaState(database.db)).rejects.toThrow(refusal)
})

test('a migration that waits for a table gives up and tries again: no request waits behind it', async () => {
  await using old = await startOnFirstSchema()
  const holder = new pg.Client(old.url)
  await holder.connect()
  await holder.query('begin; lock table partner in row exclusive mode')
  const migrating = migrate(old.db)
  const waiting = `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like 'do $migration$%'`
  await expect
    .poll(async () => (await old.admin.query(waiting)).rows, { interval: 5 })
    .toEqual([{ count: 1 }])
  await old.admin.query(`set lock_timeout = '20s'`)
  await old.admin.query('update partner set name = name')
  await holder.query('commit')
  await holder.end()
  await migrating
  expect(await readSchemaState(old.db)).toMatchObject({ missing: 0 })
})
