-- Every decision uses the clock of the database. Only tests move it.
create table clock (
  one boolean primary key default true check (one),
  advance interval not null default '0'
);
insert into clock default values;

create function clock_now() returns timestamptz language plpgsql volatile as $$
begin
  return clock_timestamp() + (select advance from clock);
end $$;

-- The environment of this database, set by its first start: a sandbox must never seed or serve live data.
create table installation (
  one boolean primary key default true check (one),
  environment text not null check (environment in ('sandbox', 'live')),
  -- The security epoch. It is raised after a backup was restored. QR values, codes and tokens are valid only in their own epoch.
  epoch int not null default 1
);
create function current_epoch() returns int language sql stable as $$ select epoch from installation $$;

-- Makes a statement fail if the audit did not take every row.
create function all_recorded(written bigint, due bigint) returns boolean language plpgsql stable as $$
begin
  if written <> due then
    raise exception 'the audit took % of % rows', written, due;
  end if;
  return true;
end $$;

create table partner (
  id bigint generated always as identity primary key,
  -- Collation C: the pages of the list rely on one order on every server.
  partner_code text collate "C" not null unique,
  secret_code text not null unique,
  name text not null,
  purpose text not null,
  scopes text[] not null,
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'SUSPENDED')),
  callback_url text,
  sso_url text,
  -- Addresses and ranges from which the partner may send requests. Empty: any address.
  ip_allow_list text[] not null,
  -- The partner's own limits, with the names of the operator document. Null: the limits of the settings.
  limits jsonb not null,
  created_at timestamptz not null default clock_now(),
  -- Raised by each change of the partner's access. A statement that discloses compares it with the version at authentication.
  access_version bigint not null default 1
);

-- Wakes the waiting requests of a partner in every process (database/notifications.ts), so that they authenticate again.
create function notify_partner(changed_partner_id bigint) returns void language sql as $$
  select pg_notify('tiwala', 'partner ' || changed_partner_id)
$$;

create function raise_access_version() returns trigger language plpgsql as $$
begin
  new.access_version := old.access_version + 1;
  perform notify_partner(new.id);
  return new;
end $$;
create trigger access_changed before update on partner for each row
  when ((old.status, old.scopes, old.ip_allow_list) is distinct from (new.status, new.scopes, new.ip_allow_list))
  execute function raise_access_version();

-- The used part of a partner's daily quota. Each process adds its requests about once a second.
create table partner_usage (
  partner_id bigint not null references partner on delete cascade,
  day date not null,
  used bigint not null,
  primary key (partner_id, day)
);

-- A partner has at most two valid secrets of a kind at a time, so that rotation needs no downtime.
create table credential (
  id bigint generated always as identity primary key,
  partner_id bigint not null references partner on delete cascade,
  -- The name for the administrator. It reveals neither order nor count.
  credential_id text not null unique default 'crd_' || replace(gen_random_uuid()::text, '-', ''),
  kind text not null check (kind in ('secret_token', 'partner_secret')),
  hmac text not null,
  created_at timestamptz not null default clock_now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  -- The last day on which it authenticated the partner. Written at most once a day.
  last_used_on date,
  -- When the event `credential.expiring` was written.
  reminded_at timestamptz
);
create index credential_expiring on credential (expires_at) where reminded_at is null;
create index credential_partner on credential (partner_id, kind);
-- Authentication reads those that did not end, however many a partner has rotated.
create index credential_current on credential (partner_id, kind, expires_at) where revoked_at is null;

create function notify_partner_of_credential() returns trigger language plpgsql as $$
begin
  perform notify_partner(old.partner_id);
  return null;
end $$;
create trigger ended after update on credential for each row
  when ((old.revoked_at, old.expires_at) is distinct from (new.revoked_at, new.expires_at))
  execute function notify_partner_of_credential();
create trigger deleted after delete on credential for each row execute function notify_partner_of_credential();

-- Each citizen's data is encrypted with a data key of that citizen, which is wrapped by a key outside the database.
-- The database alone reveals nothing of a citizen.
create table citizen (
  id bigint generated always as identity primary key,
  -- The HMAC of the uniqid, by which the citizen is found.
  uniqid_hmac text not null unique,
  subject uuid not null unique,
  -- Null: the citizen was erased. Without the data key, nothing below and no copy of it can be decrypted.
  data_key text,
  uniqid text,
  profile text,
  passport text,
  -- What the citizen forbids. Every statement that discloses checks it.
  frozen boolean not null default false,
  blocked_partner_ids bigint[] not null default '{}'
);

-- A QR value is created with the id of its future record, so that a retry can find only the same record.
create table qr_code (
  id bigint generated always as identity primary key,
  hmac text not null unique,
  citizen_id bigint not null references citizen on delete cascade,
  purpose text not null check (purpose in ('inquire', 'share')),
  record_id bigint not null unique,
  tracking_no text not null unique,
  epoch int not null default current_epoch(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index qr_code_expires on qr_code (expires_at);

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
  snapshot text,
  snapshot_until timestamptz,
  unique (partner_id, tracking_no)
);
create index authorization_record_pending on authorization_record (expires_at) where state = 'PENDING';
create index authorization_record_snapshot on authorization_record (snapshot_until) where snapshot is not null;
create index authorization_record_ended on authorization_record (ended_at) where snapshot is null;

create table exchange_code (
  id bigint generated always as identity primary key,
  hmac text not null unique,
  partner_id bigint not null references partner,
  citizen_id bigint not null references citizen on delete cascade,
  scope text not null,
  epoch int not null default current_epoch(),
  expires_at timestamptz not null,
  redeemed_at timestamptz
-- Each row is updated once. With free space in its page, the update writes no index (`PERFORMANCE.md`).
) with (fillfactor = 50);
create index exchange_code_expires on exchange_code (expires_at);

create table access_token (
  id bigint generated always as identity primary key,
  hmac text not null unique,
  exchange_code_id bigint not null unique references exchange_code on delete cascade,
  -- Copied from the code. Without foreign keys: those of the code guarantee that both exist.
  partner_id bigint not null,
  citizen_id bigint not null,
  -- The secret that obtained the token. The token ends with it. No foreign key: its lock would make a revocation wait for exchanges.
  credential_id bigint not null,
  scope text not null,
  epoch int not null default current_epoch(),
  expires_at timestamptz not null,
  used_at timestamptz,
  revoked_at timestamptz
-- Free space for the one update, as in the pages of `exchange_code`.
) with (fillfactor = 50);

-- Every act of partners, citizens and administrators. Insert-only, without personal data. The statement that discloses writes the row.
create table audit_event (
  id bigint generated always as identity primary key,
  -- The transaction that wrote the row. Rows are sealed in this order: a row that commits later cannot come before a sealed one.
  xid xid8 not null default pg_current_xact_id(),
  occurred_at timestamptz not null default clock_now(),
  kind text not null,
  partner_id bigint,
  citizen_id bigint,
  tracking_no text,
  request_id text not null,
  -- The administrator. Null if the actor is a partner, a citizen or the service.
  actor text,
  -- More facts, such as the names of changed fields.
  detail text
);
create index audit_event_sealing on audit_event (xid, id);

-- Checkpoints of the audit: each seals the events since the last one in a Merkle tree. `body` is the signed text.
create table audit_checkpoint (
  number bigint primary key,
  body text not null,
  signature text not null,
  -- A salt against guesses of the ids in the leaves. It is never disclosed.
  salt text not null
);

-- The leaves of the trees: the position of each event. A table of its own, because an event is never updated.
create table audit_leaf (
  checkpoint bigint not null,
  position int not null,
  event_id bigint not null unique,
  hash text not null,
  primary key (checkpoint, position)
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is insert-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger insert_only before update or delete or truncate on audit_event for each statement execute function refuse_change();
create trigger insert_only before update or delete or truncate on audit_checkpoint for each statement execute function refuse_change();
create trigger insert_only before update or delete or truncate on audit_leaf for each statement execute function refuse_change();
-- `always`: also where session_replication_role is replica.
alter table audit_event enable always trigger insert_only;
alter table audit_checkpoint enable always trigger insert_only;
alter table audit_leaf enable always trigger insert_only;

-- Disputes: a citizen says "this was not me" about one disclosure, which is identified by its request id.
create table dispute (
  id bigint generated always as identity primary key,
  request_id text not null unique,
  citizen_id bigint not null,
  partner_id bigint not null references partner,
  disputed_at timestamptz not null default clock_now()
);

-- The failed check of a refused request, for its partner. It names no citizen, secret or code. Written after the response.
create table diagnosis (
  request_id text primary key,
  partner_id bigint not null references partner on delete cascade,
  -- Null: the request was refused before its operation was known.
  operation text,
  occurred_at timestamptz not null,
  status int not null,
  error text not null,
  checks json not null
);
create index diagnosis_occurred on diagnosis (occurred_at);

-- The state of a partner's endpoint. Its URL is in `partner`.
create table callback_endpoint (
  partner_id bigint primary key references partner on delete cascade,
  -- The partner's server responded 410: no more events are sent until the administrator sets the URL again.
  disabled_at timestamptz,
  -- The last attempt failed: only few of its events are attempted at once, so that they delay no other partner's events.
  is_failing boolean not null default false
);

-- The salts of the partners' webhook secrets. The secrets are derived from them with a key outside the database, and never stored.
create table webhook_secret (
  id bigint generated always as identity primary key,
  partner_id bigint not null references partner on delete cascade,
  salt text not null,
  -- The newest secret signs. Until this time the one before it signs, too.
  previous_until timestamptz
);
-- The order in which a partner's secrets are read: newest first.
create index webhook_secret_partner on webhook_secret (partner_id, id desc);

-- Events to partners and the state of their delivery. The statement that changes a record writes its event. Without personal data.
create table callback_event (
  id bigint generated always as identity primary key,
  webhook_id text not null unique default 'evt_' || replace(gen_random_uuid()::text, '-', ''),
  partner_id bigint not null references partner on delete cascade,
  type text not null,
  data json not null,
  occurred_at timestamptz not null default clock_now(),
  -- Until then one delivery worker attempts the event. If that process dies, another worker claims the event afterward.
  -- Of the real clock: no process may attempt the event twice because the sandbox moved the clock.
  claimed_until timestamptz,
  status text not null default 'PENDING' check (status in ('PENDING', 'DELIVERED', 'DEAD')),
  attempts int not null default 0,
  last_attempt_at timestamptz,
  last_outcome text,
  next_attempt_at timestamptz default clock_now(),
  delivered_at timestamptz
);
-- The claims of the delivery worker: of each partner the events that are due, the oldest first.
create index callback_event_due on callback_event (partner_id, next_attempt_at) where status = 'PENDING';
create index callback_event_finished on callback_event (occurred_at) where status <> 'PENDING';
