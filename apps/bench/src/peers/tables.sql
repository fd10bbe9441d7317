create table partner (
  id bigint generated always as identity primary key,
  secret_code text not null unique,
  token_hmac text not null,
  scopes text[] not null default '{PROFILE_INQUIRE}',
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
  sealed_profile bytea,
  profile_until timestamptz,
  unique (partner_id, tracking_no)
);
create table audit (
  id bigint generated always as identity primary key,
  occurred_at timestamptz not null default now(),
  partner_id bigint not null,
  record_id bigint not null,
  pcn text not null,
  kind text not null,
  request_id text not null
);
create index audit_partner on audit (partner_id, id);
create table account (
  id text primary key,
  claims jsonb not null
);
-- One table for all models, like the example adapters of oidc-provider.
create table oidc_model (
  id text not null,
  type text not null,
  payload jsonb not null,
  grant_id text,
  expires_at timestamptz,
  consumed_at timestamptz,
  primary key (type, id)
);
create index oidc_model_grant on oidc_model (grant_id);
create index oidc_model_uid on oidc_model ((payload->>'uid')) where payload ? 'uid';
