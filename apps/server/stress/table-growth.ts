// Grows tables under a running server, and counts the rows that the server reads.
import pg from 'pg'
import type { Database } from '../src/database/connect.ts'
import { databaseUrlOf } from '../test/kit/database-url.ts'

/** Far above the identity columns of a test. */
const FIRST_ID = 1_000_000_000

/**
 * The columns in which a copied row differs, as SQL over its number `n`. All other columns come from the
 * newest row. The copies belong to other citizens that no request names. No job is due for them, and their
 * audit events are sealed.
 */
const COPIES: Record<string, string> = {
  partner: `'id', ${FIRST_ID} + n, 'partner_code', 'GROWN_' || n, 'secret_code', 'grown' || n,
            'callback_url', null`,
  credential: `'id', ${FIRST_ID} + n, 'partner_id', ${FIRST_ID} + n, 'credential_id', 'grown' || n,
               'hmac', 'grown' || n`,
  webhook_secret: `'id', ${FIRST_ID} + n, 'partner_id', ${FIRST_ID} + n`,
  callback_endpoint: `'partner_id', ${FIRST_ID} + n`,
  citizen: `'id', ${FIRST_ID} + n, 'uniqid_hmac', 'grown' || n, 'subject', gen_random_uuid()`,
  qr_code: `'id', ${FIRST_ID} + n, 'hmac', 'grown' || n, 'citizen_id', ${FIRST_ID} + n,
            'record_id', ${FIRST_ID} + n, 'tracking_no', 'GROWN' || n`,
  authorization_record: `'id', ${FIRST_ID} + n, 'citizen_id', ${FIRST_ID} + n, 'tracking_no', left(r.tracking_no, 9) || lpad(n::text, 17, '0'),
                         'state', 'DECLINED', 'snapshot', null`,
  exchange_code: `'id', ${FIRST_ID} + n, 'hmac', 'grown' || n, 'citizen_id', ${FIRST_ID} + n`,
  access_token: `'id', ${FIRST_ID} + n, 'hmac', 'grown' || n, 'citizen_id', ${FIRST_ID} + n,
                 'exchange_code_id', ${FIRST_ID} + n`,
  diagnosis: `'request_id', 'grown' || n`,
  callback_event: `'id', ${FIRST_ID} + n, 'webhook_id', 'grown' || n, 'status', 'DELIVERED',
                   'next_attempt_at', null`,
  audit_event: `'id', ${FIRST_ID} + n, 'xid', '3', 'citizen_id', ${FIRST_ID} + n, 'request_id', 'grown' || n`,
  audit_leaf: `'checkpoint', 0, 'position', n, 'event_id', ${FIRST_ID} + n`,
}

/**
 * Administrator access to the database of a service. Autovacuum is off: the tests decide when a table is
 * analyzed.
 */
export async function openGrowth(db: Database) {
  const admin = new pg.Client(await databaseUrlOf({ db }))
  await admin.connect()
  await admin.query(
    'insert into callback_endpoint (partner_id) select min(id) from partner on conflict do nothing',
  )
  // A table without partitions is its own leaf.
  for (const table of Object.keys(COPIES)) {
    const leaves = await admin.query<{ name: string }>(
      `select relid::text as name from pg_partition_tree('${table}') where isleaf
       union all select '${table}' from pg_class where oid = '${table}'::regclass and relkind = 'r'`,
    )
    for (const { name } of leaves.rows)
      await admin.query(`alter table ${name} set (autovacuum_enabled = off)`)
  }
  return {
    analyze: () => admin.query('analyze'),
    grow: async (count: number) => {
      for (const [table, own] of Object.entries(COPIES)) {
        const { rowCount } = await admin.query(
          `insert into ${table} overriding system value
           select (jsonb_populate_record(r, jsonb_build_object(${own}))).*
             from ${table} r, generate_series(1, ${count}) n
            where r.ctid = (select ctid from ${table} order by ctid desc limit 1)`,
        )
        if (rowCount !== count) throw new Error(`${table} has no row to copy`)
      }
      // The foreign keys of the copies have read `count` rows of each table that they name. This session would
      // report them only after its next statement, as if the server had read them.
      await admin.query('select pg_stat_force_next_flush()')
    },
    /** The rows and index entries read so far, by table. */
    countRead: async () => {
      const read = await admin.query<{ table: string; count: number }>(
        `select coalesce(pg_partition_root(relid)::text, relname) as table,
                sum(seq_tup_read + coalesce((select sum(idx_tup_read) from pg_stat_user_indexes i
                                           where i.relid = t.relid), 0))::float8 as count
           from pg_stat_user_tables t where schemaname = 'public' group by 1`,
      )
      return new Map(read.rows.map(({ table, count }) => [table, count]))
    },
    tables: Object.keys(COPIES),
    close: () => admin.end(),
  }
}
