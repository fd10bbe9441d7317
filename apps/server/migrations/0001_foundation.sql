-- One clock for every decision: the database's. The sandbox and the tests move it; live, nothing writes `advance`.
create table clock (
  one boolean primary key default true check (one),
  advance interval not null default '0'
);
insert into clock default values;

create function clock_now() returns timestamptz language plpgsql volatile as $$
begin
  return clock_timestamp() + (select advance from clock);
end $$;

-- Which environment this database belongs to, from its first start on: a sandbox must never seed or serve live data.
create table installation (
  one boolean primary key default true check (one),
  environment text not null check (environment in ('sandbox', 'live'))
);

create table partner (
  id bigint generated always as identity primary key,
  partner_code text not null unique,
  secret_code text not null unique,
  name text not null,
  purpose text not null,
  scopes text[] not null,
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'SUSPENDED')),
  callback_url text,
  sso_url text,
  created_at timestamptz not null default clock_now()
);

-- A partner has at most two valid secrets of a kind at a time, so that rotation needs no downtime.
create table credential (
  id bigint generated always as identity primary key,
  partner_id bigint not null references partner on delete cascade,
  kind text not null check (kind in ('secret_token', 'partner_secret')),
  mac text not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index credential_partner on credential (partner_id, kind);

create table citizen (
  id bigint generated always as identity primary key,
  uniqid text not null unique,
  profile json not null,
  passport json
);

-- A QR value is minted with the identity of the record it will become, so that a retry can only meet the same record.
create table qr_code (
  id bigint generated always as identity primary key,
  mac text not null unique,
  citizen_id bigint not null references citizen on delete cascade,
  purpose text not null check (purpose in ('inquire', 'share')),
  record_id bigint not null unique,
  tracking_no text not null unique,
  expires_at timestamptz not null,
  used_at timestamptz
);

create table authorization_record (
  id bigint primary key,
  partner_id bigint not null references partner,
  citizen_id bigint not null references citizen on delete cascade,
  tracking_no text not null,
  scope text not null check (scope in ('PROFILE_INQUIRE', 'PROFILE_VIEW')),
  state text not null check (state in ('PENDING', 'ACCEPTED', 'DECLINED', 'EXPIRED', 'CANCELLED', 'REVOKED', 'VIEWED')),
  qr_value text not null,
  callback_url text,
  requested_at timestamptz(3) not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  ended_at timestamptz,
  snapshot json,
  snapshot_until timestamptz,
  unique (partner_id, tracking_no)
);
create index authorization_record_citizen on authorization_record (citizen_id, requested_at desc, id desc);

create table exchange_code (
  id bigint generated always as identity primary key,
  mac text not null unique,
  partner_id bigint not null references partner,
  citizen_id bigint not null references citizen on delete cascade,
  scope text not null,
  expires_at timestamptz not null,
  redeemed_at timestamptz
);

create table access_token (
  id bigint generated always as identity primary key,
  mac text not null unique,
  exchange_code_id bigint not null unique references exchange_code on delete cascade,
  partner_id bigint not null references partner,
  citizen_id bigint not null references citizen on delete cascade,
  scope text not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  revoked_at timestamptz
);

-- Insert-only, without personal data. Every disclosure writes its row in the statement that permits it.
create table audit_event (
  id bigint generated always as identity primary key,
  occurred_at timestamptz not null default clock_now(),
  kind text not null,
  partner_id bigint not null,
  citizen_id bigint not null,
  tracking_no text,
  request_id text not null
);
