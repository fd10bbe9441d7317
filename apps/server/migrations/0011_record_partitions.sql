-- needs 0010_sign_in
-- Records in a partition for each day (UTC). The tracking number is the partition key, because its first 7 characters are the
-- second in which its record was made: the number alone leads to the partition. `partitions.sql.ts` has the design.

-- The first characters of the tracking numbers of a second: the seconds since 2026 in Crockford's base32.
create function tracking_time(at timestamptz) returns text language plpgsql immutable parallel safe as $$
declare
  digits constant text := '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  seconds constant bigint := greatest(0, floor(extract(epoch from at)) - 1767225600);
begin
  return substr(digits, (seconds >> 30 & 31)::int + 1, 1) || substr(digits, (seconds >> 25 & 31)::int + 1, 1)
      || substr(digits, (seconds >> 20 & 31)::int + 1, 1) || substr(digits, (seconds >> 15 & 31)::int + 1, 1)
      || substr(digits, (seconds >> 10 & 31)::int + 1, 1) || substr(digits, (seconds >> 5 & 31)::int + 1, 1)
      || substr(digits, (seconds & 31)::int + 1, 1);
end $$;

-- The tracking number of a record that is made at this time: 7 characters of time, 2 that are reserved for the cell, and 17
-- random ones (85 bits), those of a random number.
create function timed_tracking_no(random_no text, at timestamptz) returns text language sql immutable parallel safe
return tracking_time(at) || '00' || right(random_no, 17);

-- Only the record keeps its id and tracking number unique. Two random indexes less for each QR code.
alter table qr_code drop constraint if exists qr_code_record_id_key, drop constraint if exists qr_code_tracking_no_key;

-- The earlier records keep their random numbers and their table, which becomes a partition: no row is copied, except those whose
-- number begins with 0, as those of the next 34 years do.
alter table authorization_record alter column tracking_no type text collate "C";
alter table authorization_record rename to authorization_record_untimed;
declare
  own_index name;
begin
  for own_index in select indexname from pg_indexes where tablename = 'authorization_record_untimed' loop
    execute format('alter index %I rename to %I', own_index, replace(own_index, 'authorization_record', 'authorization_record_untimed'));
  end loop;
end;
create table authorization_record (like authorization_record_untimed including defaults including constraints)
  partition by range (tracking_no);
-- `id` has no index: a record is found by its partner and tracking number. Two records could have the same random id, of 53 bits,
-- and no request would fail for it.
alter table authorization_record
  add foreign key (partner_id) references partner,
  add foreign key (citizen_id) references citizen on delete cascade,
  add unique (partner_id, tracking_no);
create index if not exists authorization_record_pending on authorization_record (expires_at) where state = 'PENDING';
create index if not exists authorization_record_snapshot on authorization_record (snapshot_until) where snapshot is not null;
create index if not exists authorization_record_revoked on authorization_record (ended_at) where state = 'REVOKED';
create index if not exists authorization_record_citizen_revoked
  on authorization_record (citizen_id, ended_at) where state = 'REVOKED';
create index if not exists authorization_record_partner
  on authorization_record ((partner_id + 0), state, requested_at desc, id desc);
create index if not exists authorization_record_citizen_state
  on authorization_record (citizen_id, state, requested_at desc, id desc);
create table authorization_record_default partition of authorization_record default;
create index on authorization_record_default (ended_at) where snapshot is null;
create index on authorization_record_default (tracking_no);
with moved as (
  delete from authorization_record_untimed where tracking_no < '1' returning *
)
insert into authorization_record_default select * from moved;
alter table authorization_record attach partition authorization_record_untimed for values from ('1') to (maxvalue);

-- Makes the partition of a day, and moves the earlier records into it whose random numbers lie in its range. False: it exists, or
-- records of this day came while it was missing: they stay in the default partition, with those that follow on this day. To move
-- them would hide them from statements that have waited for the lock, because these were planned without the new partition.
create function make_record_partition(day date) returns boolean language plpgsql as $$
declare
  name constant text := 'authorization_record_' || to_char(day, 'YYYYMMDD');
  low constant text := tracking_time(day::timestamp at time zone 'UTC');
  high constant text := tracking_time((day + 1)::timestamp at time zone 'UTC');
begin
  if to_regclass(name) is not null then
    return false;
  end if;
  -- A request that waits behind this statement waits for at most 0.1 s. The first lock admits one process at a time, the second
  -- one keeps records from coming in between.
  perform set_config('lock_timeout', '100ms', true);
  lock table only authorization_record in share update exclusive mode;
  if to_regclass(name) is not null then
    return false;
  end if;
  lock table authorization_record_default in access exclusive mode;
  if exists (
    select from authorization_record_default where tracking_no >= low and tracking_no < high and substr(tracking_no, 8, 2) = '00'
  ) then
    return false;
  end if;
  execute format('create table %I (like authorization_record including defaults including constraints)', name);
  execute format(
    'with moved as (delete from authorization_record_default where tracking_no >= %L and tracking_no < %L returning *)
     insert into %I select * from moved', low, high, name);
  execute format('alter table authorization_record attach partition %I for values from (%L) to (%L)', name, low, high);
  return true;
end $$;

-- Drops the oldest partition whose records ended more than `kept_days` ago. Records that ended later, such as those that were
-- revoked, move to the default partition, which is small, and are deleted there one by one. Null: there is none.
create function drop_record_partition(kept_days int) returns text language plpgsql as $$
declare
  name text;
begin
  perform set_config('lock_timeout', '100ms', true);
  lock table only authorization_record in share update exclusive mode;
  select min(relname) into name from pg_inherits join pg_class on pg_class.oid = inhrelid
   where inhparent = 'authorization_record'::regclass
     and relname ~ '_\d{8}$' and to_date(right(relname, 8), 'YYYYMMDD') < (clock_now() at time zone 'UTC')::date - kept_days;
  if name is null then
    return null;
  end if;
  execute format('alter table authorization_record detach partition %I', name);
  -- The indexes of these rows are small. All other records have ended on their day, or minutes after it.
  execute format(
    'insert into authorization_record select * from %I
      where state = ''PENDING'' or snapshot is not null
         or (state = ''REVOKED'' and ended_at >= clock_now() - make_interval(days => $1))', name) using kept_days;
  execute format('drop table %I', name);
  return name;
end $$;

-- From yesterday on: `wait_before_request` reads up to a day.
for offset_days in -1..7 loop
  perform make_record_partition((clock_now() at time zone 'UTC')::date + offset_days);
end loop;
