import { createHmac } from 'node:crypto'
import { PEER_MAC_KEY } from '../peers/find-record.ts'
import { withDatabase } from '../postgres/databases.ts'
import { endedTrackingNo } from './ended-tracking-no.ts'
import type { World } from './populate.ts'

/**
 * The peers' own plain tables: the same partner, the same records under the same keys, with the profile as it is. They are as large
 * as ours.
 */
export async function fillPeerTables(url: string, { credentials, accepted }: World, ended: number): Promise<void> {
  const mac = createHmac('sha256', PEER_MAC_KEY).update(credentials.secret_token).digest('base64url')
  await withDatabase(url, async (client) => {
    await client.query(TABLES)
    await client.query('insert into partner (secret_code, token_mac, scopes) values ($1, $2, $3)', [
      credentials.secret_code,
      mac,
      ['PROFILE_INQUIRE'],
    ])
    await client.query(RECORDS, [JSON.stringify(accepted.map(({ data }) => data))])
    await client.query(ENDED, [Array.from({ length: ended }, (_, index) => endedTrackingNo(index + 1))])
    await client.query(ACCOUNTS)
  })
}

const TABLES = `
  create table partner (
    id bigint generated always as identity primary key,
    secret_code text not null unique,
    token_mac text not null,
    scopes text[] not null,
    status text not null default 'ACTIVE'
  );
  create table record (
    id bigint primary key,
    partner_id bigint not null references partner,
    tracking_no text not null,
    pcn text not null,
    state text not null,
    qr_value text not null,
    accepted_at timestamptz,
    profile jsonb,
    profile_until timestamptz,
    unique (partner_id, tracking_no)
  );
  create table account (
    id text primary key,
    claims jsonb not null
  );
  -- As oidc-provider's own example adapters have it: one table for every model.
  create table oidc_model (
    id text not null,
    type text not null,
    payload jsonb not null,
    grant_id text,
    expires_at timestamptz,
    consumed_at timestamptz,
    primary key (type, id)
  );
  create index oidc_model_grant on oidc_model (grant_id)`

const RECORDS = `
  insert into record (id, partner_id, tracking_no, pcn, state, qr_value, accepted_at, profile, profile_until)
  select (d->>'id')::bigint, p.id, d->>'tracking_no', d->>'pcn', 'ACCEPTED', d->'payload'->>'qr_value',
         (d->>'accepted_at')::timestamp at time zone 'Asia/Manila', d->'response', now() + interval '1 hour'
    from partner p, jsonb_array_elements($1::jsonb) d`

const ENDED = `
  insert into record (id, partner_id, tracking_no, pcn, state, qr_value)
  select n, p.id, t, 'BNC-0000000001', 'DECLINED', 'TWQ1' || t from partner p, unnest($1::text[]) with ordinality as e (t, n)`

const ACCOUNTS = `insert into account (id, claims) select pcn, profile from record where profile is not null`
