-- needs 0014_idempotent_responses
-- The audit in a partition for each month (UTC). The id of an event says its month, so that an id alone leads to the partition, and
-- each key of the tables stays unique in all of them. `audit-partitions.sql.ts` has the design.

-- The least id of the events of a month: the number of the month (January 2026 is 1), then 41 bits. The earlier ids are below them all.
create function audit_id_floor(at timestamptz) returns bigint language plpgsql immutable parallel safe as $$
declare
  utc constant timestamp := at at time zone 'UTC';
begin
  return greatest(1, date_part('year', utc)::bigint * 12 + date_part('month', utc)::bigint - 24312) << 41;
end $$;

create sequence audit_event_number;
-- With the text of `clock_now`: a call less for each event.
create function next_audit_id() returns bigint language plpgsql volatile as $$
begin
  return audit_id_floor(clock_timestamp() + (select advance from clock)) + nextval('audit_event_number');
end $$;

-- The earlier events and leaves keep their tables, which become partitions: no row is copied.
alter table audit_event alter column id drop identity;
alter table audit_event rename to audit_event_past;
alter table audit_leaf rename to audit_leaf_past;
declare
  own_index record;
begin
  for own_index in select indexname, tablename from pg_indexes where tablename in ('audit_event_past', 'audit_leaf_past') loop
    execute format('alter index %I rename to %I', own_index.indexname,
                   replace(own_index.indexname, replace(own_index.tablename, '_past', ''), own_index.tablename));
  end loop;
end;
create table audit_event (like audit_event_past including defaults including constraints) partition by range (id);
alter table audit_event alter column id set default next_audit_id(), add primary key (id);
create index if not exists audit_event_sealing on audit_event (xid, id);
-- Only what is read by citizen: at a nation's size each entry changes another page, which PostgreSQL writes to its log as a whole after
-- a checkpoint. Most events are requests, consents and codes, which have no entry.
create index if not exists audit_event_of_citizen on audit_event (citizen_id, kind, id)
  where kind in ('profile.disclosed', 'profile.viewed', 'sso.authenticated',
                 'citizen.erased', 'citizen.written', 'preferences.changed');
create index if not exists audit_event_disclosure on audit_event (request_id)
  where kind in ('profile.disclosed', 'profile.viewed', 'sso.authenticated');
create index if not exists audit_event_time on audit_event (occurred_at, id);
create index if not exists audit_event_kind_time on audit_event (kind, occurred_at, id);
create index if not exists audit_event_partner_time on audit_event (partner_id, occurred_at, id);
create index if not exists audit_event_partner_kind_time on audit_event (partner_id, kind, occurred_at, id);
-- A leaf lies in the partition of its event. So the place of a leaf is unique in a partition only: each has this key itself. The sealer
-- alone writes leaves, one process at a time, and `verifyAudit` finds two of one place.
create table audit_leaf (like audit_leaf_past including defaults including constraints) partition by range (event_id);
alter table audit_leaf add unique (event_id);

-- The check of UPGRADING.md is one of the earlier rows only.
alter table audit_event drop constraint if exists audit_event_past;
alter table audit_leaf drop constraint if exists audit_leaf_past;

-- Makes a partition of both tables, and refuses every change of their rows. Triggers of statements are not inherited.
create function add_audit_partition(name text, bounds text) returns void language plpgsql as $$
declare
  parent text;
  partition text;
begin
  foreach parent in array array['audit_event', 'audit_leaf'] loop
    partition := parent || '_' || name;
    execute format('create table %I (like %I including defaults including constraints)', partition, parent);
    if parent = 'audit_leaf' then
      execute format('alter table %I add primary key (checkpoint, position)', partition);
    end if;
    execute format('create trigger insert_only before update or delete or truncate on %I
                      for each statement execute function refuse_change()', partition);
    execute format('alter table %I enable always trigger insert_only', partition);
    execute format('alter table %I attach partition %I %s', parent, partition, bounds);
  end loop;
end $$;

-- Makes the partition of a later month. False: it exists, or the default partition has events of it, which are never moved.
create function make_audit_partition(month date) returns boolean language plpgsql as $$
declare
  name constant text := to_char(month, 'YYYYMM');
  low constant bigint := audit_id_floor(date_trunc('month', month::timestamp) at time zone 'UTC');
  high constant bigint := low + (1::bigint << 41);
begin
  if to_regclass('audit_event_' || name) is not null then
    return false;
  end if;
  -- A request that waits behind this statement waits for at most 0.1 s. The first lock admits one process at a time, the others keep
  -- events from coming in between.
  perform set_config('lock_timeout', '100ms', true);
  lock table only audit_event in share update exclusive mode;
  if to_regclass('audit_event_' || name) is not null then
    return false;
  end if;
  lock table audit_event_default, audit_leaf_default in access exclusive mode;
  if exists (select from audit_event_default where id >= low and id < high)
     or exists (select from audit_leaf_default where event_id >= low and event_id < high) then
    return false;
  end if;
  perform add_audit_partition(name, format('for values from (%s) to (%s)', low, high));
  return true;
end $$;

-- `always`: also where session_replication_role is replica.
create trigger insert_only before update or delete or truncate on audit_event for each statement execute function refuse_change();
create trigger insert_only before update or delete or truncate on audit_leaf for each statement execute function refuse_change();
alter table audit_event enable always trigger insert_only;
alter table audit_leaf enable always trigger insert_only;
perform add_audit_partition('default', 'default');
-- PostgreSQL reads both tables once, unless they have a check constraint that says the same (UPGRADING.md).
alter table audit_event attach partition audit_event_past for values from (minvalue) to (2199023255552);
alter table audit_leaf attach partition audit_leaf_past for values from (minvalue) to (2199023255552);
for offset_months in 0..2 loop
  perform make_audit_partition(((clock_now() at time zone 'UTC') + make_interval(months => offset_months))::date);
end loop;
