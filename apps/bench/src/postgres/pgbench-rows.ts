import { withDatabase } from './databases.ts'

/** Beyond the identities of everybody else's rows. */
const FIRST_ID = 1_000_000_000_000

/** In the place of a record's tracking number and id, for `:n`. */
export const RECORD_N = { trackingNo: `'PGBENCH' || :n`, id: `${FIRST_ID} + :n` }
/** In the place of the hash of a code or of a token, for `:k`. */
export const ARTEFACT_K = `'pgbench.' || :k`

/** Accepted records that pgbench can number: copies of a real one, each of another citizen. Their seals open nowhere, and it opens none. */
export const insertRecords = (url: string, count: number) =>
  withDatabase(url, (client) =>
    client.query(
      `insert into authorization_record (id, partner_id, citizen_id, tracking_no, scope, state, qr_value, requested_at, expires_at, accepted_at,
                                         ended_at, snapshot, snapshot_until)
       select ${FIRST_ID} + n, r.partner_id, c.ids[n], 'PGBENCH' || n, r.scope, r.state, r.qr_value, r.requested_at, r.expires_at, r.accepted_at,
              r.ended_at, r.snapshot, r.snapshot_until
         from generate_series(1, $1::int) n, (select array_agg(id) as ids from citizen) c,
              (select * from authorization_record where snapshot is not null limit 1) r`,
      [count],
    ),
  )

/** Exchange codes that pgbench can number, for each of its clients. */
export const insertCodes = (url: string, clients: number, perClient: number) =>
  withDatabase(url, (client) =>
    client.query(
      `insert into exchange_code (mac, partner_id, citizen_id, scope, expires_at)
       select 'pgbench.' || (client * ${CODES_OF_A_CLIENT} + n), p.id, c.ids[1 + n % array_length(c.ids, 1)], 'SSO_AUTHENTICATION', now() + interval '2 hours'
         from generate_series(0, $1::int - 1) client, generate_series(1, $2::int) n,
              (select array_agg(id order by id) as ids from citizen) c, (select id from partner limit 1) p`,
      [clients, perClient],
    ),
  )

const CODES_OF_A_CLIENT = 1_000_000

/** Each transaction takes the next that no other has; `n` starts where the round before ended. */
export const NEXT_K = `\\set n :n + 1\n\\set k :client_id * ${CODES_OF_A_CLIENT} + :n\n`

/** The hashes under which the newest code and the newest token are stored. */
export const newestHashes = (url: string): Promise<{ code: string; token: string }> =>
  withDatabase(url, async (client) => {
    const { rows } = await client.query<{ code: string; token: string }>(
      `select x.mac as code, t.mac as token from access_token t join exchange_code x on x.id = t.exchange_code_id order by t.id desc limit 1`,
    )
    return rows[0]!
  })

const EFFECTS = {
  disclosed: "select count(*)::int as count from audit_event where tracking_no like 'PGBENCH%'",
  signedIn: "select count(used_at)::int as count from access_token where mac like 'pgbench.%'",
}

/** A statement that found nothing to do would be a limit that nobody could reach. */
export async function requireEffect(url: string, effect: keyof typeof EFFECTS, atLeast = 1): Promise<void> {
  const { rows } = await withDatabase(url, (client) => client.query<{ count: number }>(EFFECTS[effect]))
  const { count } = rows[0]!
  if (count < atLeast)
    throw new Error(`what pgbench ran has ${effect} ${count} instead of ${atLeast}: its script no longer fits the statements`)
}
