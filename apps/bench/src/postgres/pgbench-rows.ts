// Rows that a pgbench script can address by number: their tracking numbers and hashes end with a number,
// which a pgbench variable such as `:n` holds.
import { withDatabase } from './databases.ts'

/** Start of a range of ids that no other rows use. */
const FIRST_RECORD_ID = 1_000_000_000_000

/** SQL expressions of the tracking number and the id of record `:n`. */
export const RECORD_EXPRESSIONS = { trackingNo: `'PGBENCH' || :n`, id: `${FIRST_RECORD_ID} + :n` }
/** SQL expression of the hash of code `:k`, or of the token that it is exchanged for. */
export const HASH_EXPRESSION = `'pgbench.' || :k`

/**
 * Inserts accepted records: copies of a real one, each of a different citizen. Their snapshots cannot be
 * decrypted, and pgbench does not decrypt.
 */
export const insertRecords = (url: string, count: number) =>
  withDatabase(url, (client) =>
    client.query(
      `insert into authorization_record
              (id, partner_id, citizen_id, tracking_no, scope, state, qr_value, requested_at, expires_at,
               accepted_at, ended_at, snapshot, snapshot_until)
       select ${FIRST_RECORD_ID} + n, r.partner_id, c.ids[n], 'PGBENCH' || n, r.scope, r.state, r.qr_value,
              r.requested_at, r.expires_at, r.accepted_at, r.ended_at, r.snapshot, r.snapshot_until
         from generate_series(1, $1::int) n, (select array_agg(id) as ids from citizen) c,
              (select * from authorization_record where snapshot is not null limit 1) r`,
      [count],
    ),
  )

/** The codes of each pgbench client have numbers in a separate range. */
const RANGE_PER_CLIENT = 1_000_000

/** Inserts exchange codes for each pgbench client. */
export const insertCodes = (url: string, clients: number, codesPerClient: number) =>
  withDatabase(url, (client) =>
    client.query(
      `insert into exchange_code (hmac, partner_id, citizen_id, scope, expires_at)
       select 'pgbench.' || (client * ${RANGE_PER_CLIENT} + n), p.id, c.ids[1 + n % array_length(c.ids, 1)],
              'SSO_AUTHENTICATION', now() + interval '2 hours'
         from generate_series(0, $1::int - 1) client, generate_series(1, $2::int) n,
              (select array_agg(id order by id) as ids from citizen) c, (select id from partner limit 1) p`,
      [clients, codesPerClient],
    ),
  )

/**
 * Script lines that give each transaction a code that no other transaction uses. The caller sets `n` to the
 * number of codes that each client has used in earlier rounds.
 */
export const NEXT_CODE = `\\set n :n + 1\n\\set k :client_id * ${RANGE_PER_CLIENT} + :n\n`

/** The stored hashes of the newest access token and of the code that was exchanged for it. */
export const newestHashes = (url: string): Promise<{ code: string; token: string }> =>
  withDatabase(url, async (client) => {
    const { rows } = await client.query<{ code: string; token: string }>(
      `select x.hmac as code, t.hmac as token
         from access_token t join exchange_code x on x.id = t.exchange_code_id order by t.id desc limit 1`,
    )
    return rows[0]!
  })

const EFFECT_COUNTS = {
  disclosures: "select count(*)::int as count from audit_event where tracking_no like 'PGBENCH%'",
  'used tokens': "select count(used_at)::int as count from access_token where hmac like 'pgbench.%'",
}

/** Throws if the script had no effect. The rate of statements that match no rows would be no baseline. */
export async function requireEffect(
  url: string,
  effect: keyof typeof EFFECT_COUNTS,
  minimum = 1,
): Promise<void> {
  const { rows } = await withDatabase(url, (client) => client.query<{ count: number }>(EFFECT_COUNTS[effect]))
  const { count } = rows[0]!
  if (count < minimum)
    throw new Error(
      `pgbench wrote ${count} ${effect}, expected at least ${minimum}. ` +
        "Adapt pgbench-rows.ts to the server's statements.",
    )
}
