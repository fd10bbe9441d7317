-- needs 0015_audit_partitions
-- The people of partners, their sessions in the workbench, and the requests of partners.

create table member (
  id bigint generated always as identity primary key,
  -- The name for people and for the audit. It reveals neither order nor count.
  member_id text not null unique,
  partner_id bigint not null references partner on delete cascade,
  -- In lower case.
  email text not null,
  -- The issuer and the `sub` of the identity provider, from the first sign-in on. The email address is only the invitation.
  subject text,
  role text not null check (role in ('viewer', 'developer', 'admin')),
  invited_at timestamptz not null default clock_now(),
  signed_in_at timestamptz,
  -- The row stays, since the audit names it.
  removed_at timestamptz
);
create unique index member_email on member (partner_id, email) where removed_at is null;
create index member_invitation on member (email) where removed_at is null and subject is null;
create index member_subject on member (subject) where removed_at is null;

create table member_session (
  hmac text primary key,
  member_id bigint not null references member on delete cascade,
  -- Written at most once a minute.
  used_at timestamptz not null default clock_now(),
  expires_at timestamptz not null
);
create index member_session_member on member_session (member_id);

-- A suspension ends the sessions for good: a partner that is resumed signs in again.
create function end_sessions_of_partner() returns trigger language plpgsql as $$
begin
  delete from member_session where member_id in (select id from member where partner_id = new.id);
  return null;
end $$;
create trigger partner_suspended after update of status on partner
  for each row when (new.status = 'SUSPENDED') execute function end_sessions_of_partner();

-- The requests of partners, in a partition for each day (UTC). Housekeeping makes and drops them. No foreign
-- key: an insert would lock the row of the partner.
create table partner_request (
  partner_id bigint not null,
  -- Empty: the request was refused before its operation was known.
  operation text not null,
  received_at timestamptz not null,
  request_id text collate "C" not null,
  method text not null,
  status smallint not null,
  error text,
  duration_ms int not null,
  credential_id bigint,
  address text
) partition by range (received_at);
create index partner_request_operation on partner_request
  (partner_id, operation, (status >= 400), received_at desc, request_id desc);
create index partner_request_refused on partner_request
  (partner_id, (status >= 500), received_at desc, request_id desc) where status >= 400;
create index partner_request_error on partner_request
  (partner_id, (coalesce(error, '')), operation, received_at desc, request_id desc) where status >= 400;
create index partner_request_id on partner_request (request_id);
-- For a day without a partition.
create table partner_request_default partition of partner_request default;

-- Makes the partition of a day, unless it exists or requests of this day are in the default partition.
create function make_request_partition(day date) returns boolean language plpgsql as $$
declare
  name constant text := 'partner_request_' || to_char(day, 'YYYYMMDD');
  low constant timestamptz := day::timestamp at time zone 'UTC';
begin
  if to_regclass(name) is not null then
    return false;
  end if;
  -- Only the log waits behind this statement.
  perform set_config('lock_timeout', '100ms', true);
  lock table partner_request in access exclusive mode;
  if to_regclass(name) is not null
     or exists (select from partner_request_default where received_at >= low and received_at < low + interval '1 day') then
    return false;
  end if;
  execute format('create table %I partition of partner_request for values from (%L) to (%L)', name, low, low + interval '1 day');
  return true;
end $$;

-- Drops the oldest partition whose day was over more than `kept_days` ago. Null: there is none.
create function drop_request_partition(kept_days int) returns text language plpgsql as $$
declare
  name text;
begin
  perform set_config('lock_timeout', '100ms', true);
  select min(relname) into name from pg_inherits join pg_class on pg_class.oid = inhrelid
   where inhparent = 'partner_request'::regclass
     and relname ~ '_\d{8}$' and to_date(right(relname, 8), 'YYYYMMDD') < (clock_now() at time zone 'UTC')::date - kept_days;
  if name is not null then
    execute format('drop table if exists %I', name);
  end if;
  return name;
end $$;

for ahead in 0..7 loop
  perform make_request_partition((clock_now() at time zone 'UTC')::date + ahead);
end loop;
-- `sandbox_request` is unused from this version on.
