-- needs 0019_time_order
-- Makes the default partitions of the audit the partitions of the months of their events, and new, empty ones beside them. No row is
-- copied, changed or deleted, so the audit stays insert-only: the tables get another name and other bounds, and keep their triggers.
-- The months up to the last one of the events are one partition, with the name of the last one, which may be the present month. Null:
-- there is nothing to do, there is a partition of a month in between, or the tables have more than `most_bytes`: PostgreSQL reads them once, and requests wait meanwhile.
create function split_audit_default(most_bytes bigint) returns text language plpgsql as $$
declare
  first_id bigint;
  last_id bigint;
  low bigint;
  high bigint;
  name text;
  parent text;
begin
  if not exists (select from audit_event_default) or pg_relation_size('audit_event_default') > most_bytes then
    return null;
  end if;
  perform set_config('lock_timeout', '100ms', true);
  -- Before the first event is read: no statement is under way that would insert into the default partition.
  lock table only audit_event, audit_leaf in access exclusive mode;
  lock table audit_event_default, audit_leaf_default in access exclusive mode;
  select min(id), max(id) into first_id, last_id from audit_event_default;
  if first_id is null then
    return null;
  end if;
  low := first_id >> 41 << 41;
  high := ((last_id >> 41) + 1) << 41;
  name := to_char(timestamp '2025-12-01' + make_interval(months => (last_id >> 41)::int), 'YYYYMM');
  if exists (
    select from pg_inherits join pg_class on pg_class.oid = inhrelid
     where inhparent = 'audit_event'::regclass and relname ~ '_\d{6}$' and right(relname, 6) <= name
       and audit_id_floor(to_date(right(relname, 6), 'YYYYMM')::timestamp at time zone 'UTC') >= low
  ) then
    return null;
  end if;
  foreach parent in array array['audit_event', 'audit_leaf'] loop
    execute format('alter table %I detach partition %I', parent, parent || '_default');
    execute format('alter table %I rename to %I', parent || '_default', parent || '_' || name);
  end loop;
  perform add_audit_partition('default', 'default');
  foreach parent in array array['audit_event', 'audit_leaf'] loop
    execute format('alter table %I attach partition %I for values from (%s) to (%s)', parent, parent || '_' || name, low, high);
  end loop;
  return name;
end $$;

-- SHA-256 of the index of the histories, which has the hash of each block. Null: an earlier archive, whose index has none.
alter table audit_archive add column history_hash text;

-- As the function without `history`, and keeps the hash of the histories in the row of the archive and in the audit, which is signed.
create function end_audit_partition(ended text, first_of bigint, last_of bigint, history text, ended_by text, by_request text)
returns void language plpgsql as $$
declare
  events constant text := 'audit_event_' || ended;
  leaves constant text := 'audit_leaf_' || ended;
  keep_disputes constant text := format(
    'update dispute d set disclosed_at = e.occurred_at, kind = e.kind, tracking_no = e.tracking_no from %I e
      where e.request_id = d.request_id and e.citizen_id = d.citizen_id and d.disputed_at > $1
        and e.kind in (''profile.disclosed'', ''profile.viewed'', ''sso.authenticated'')', events);
  began_at constant timestamptz := clock_now();
  is_open boolean;
begin
  execute format('select exists (select from %I e where not exists (select from %I l where l.event_id = e.id and l.checkpoint <= $1))
                      or exists (select from %I where checkpoint > $1)', events, leaves, leaves) into is_open using last_of;
  if is_open then
    raise exception '% has events that the archive lacks', events using errcode = 'restrict_violation';
  end if;
  insert into audit_archive (name, first_checkpoint, last_checkpoint, history_hash) values (ended, first_of, last_of, history);
  execute keep_disputes using '-infinity'::timestamptz;
  execute format('update citizen c set erased_at = e.occurred_at, erased_request_id = e.request_id
                    from (select distinct on (citizen_id) citizen_id, occurred_at, request_id from %I
                           where kind = ''citizen.erased'' order by citizen_id, id desc) e
                   where c.id = e.citizen_id and c.data_key is null', events);
  insert into audit_event (kind, request_id, actor, detail)
  values ('audit.archived', by_request, ended_by,
          ended || ': checkpoints ' || first_of || ' to ' || last_of || ', history ' || history);
  -- A request that waits behind these locks waits for at most 0.1 s.
  perform set_config('lock_timeout', '100ms', true);
  execute format('alter table audit_event detach partition %I', events);
  execute format('alter table audit_leaf detach partition %I', leaves);
  -- Disputes that came meanwhile: their statements have ended, since the locks wait for them.
  execute keep_disputes using began_at - interval '1 minute';
  execute format('drop table %I, %I', events, leaves);
end $$;
