-- needs 0016_workbench
-- The months of the audit that are in the archive (`audit/archive/archive-audit.ts`). Their checkpoints stay in the database.
create table audit_archive (
  id bigint generated always as identity primary key,
  name text not null unique,
  -- The checkpoints whose events are in this part of the archive, also those of the next month that the last one seals.
  first_checkpoint bigint not null,
  last_checkpoint bigint not null,
  archived_at timestamptz not null default clock_now()
);
create trigger insert_only before update or delete or truncate on audit_archive for each statement execute function refuse_change();
alter table audit_archive enable always trigger insert_only;

-- What the list of disputes shows of a disclosure that is in the archive.
alter table dispute
  add column if not exists disclosed_at timestamptz,
  add column if not exists kind text,
  add column if not exists tracking_no text;
-- What the receipt of an erasure shows whose event is in the archive.
alter table citizen
  add column if not exists erased_at timestamptz,
  add column if not exists erased_request_id text;

-- Ends a month in one transaction: keeps what disputes and receipts show, drops both partitions, and says so in the audit. The command
-- has written and verified the files before. Refused if the partition has an event that they lack.
create function end_audit_partition(ended text, first_of bigint, last_of bigint, ended_by text, by_request text)
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
  insert into audit_archive (name, first_checkpoint, last_checkpoint) values (ended, first_of, last_of);
  execute keep_disputes using '-infinity'::timestamptz;
  execute format('update citizen c set erased_at = e.occurred_at, erased_request_id = e.request_id
                    from (select distinct on (citizen_id) citizen_id, occurred_at, request_id from %I
                           where kind = ''citizen.erased'' order by citizen_id, id desc) e
                   where c.id = e.citizen_id and c.data_key is null', events);
  insert into audit_event (kind, request_id, actor, detail)
  values ('audit.archived', by_request, ended_by, ended || ': checkpoints ' || first_of || ' to ' || last_of);
  -- A request that waits behind these locks waits for at most 0.1 s.
  perform set_config('lock_timeout', '100ms', true);
  execute format('alter table audit_event detach partition %I', events);
  execute format('alter table audit_leaf detach partition %I', leaves);
  -- Disputes that came meanwhile: their statements have ended, since the locks wait for them.
  execute keep_disputes using began_at - interval '1 minute';
  execute format('drop table %I, %I', events, leaves);
end $$;
