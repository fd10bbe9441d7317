-- needs 0026_going_live_gate
-- Acts of administrators that wait for a second person, as changes of settings do.

-- Null, or the citizen of an erasure. The identifier is only in the row of the citizen, encrypted with the data key.
alter table approval add column if not exists citizen_id bigint references citizen on delete cascade;
create index if not exists approval_citizen on approval (citizen_id) where citizen_id is not null;

-- A change that waits has the names of the columns that it changes, so a change of one of them ends it.
create trigger act_changed after update on partner for each row
  when ((old.name, old.purpose, old.scopes, old.limits, old.status, old.going_live)
    is distinct from (new.name, new.purpose, new.scopes, new.limits, new.status, new.going_live))
  execute function void_changed_settings();

-- A citizen who is imported again after an erasure has another row, which the older request does not name.
create function void_erasures() returns trigger language plpgsql as $$
begin
  update approval set decision = 'VOID', decided_at = clock_now()
   where citizen_id = new.id and decision is null and clock_now() < expires_at;
  return null;
end $$;
create trigger erased after update on citizen for each row
  when (old.data_key is not null and new.data_key is null) execute function void_erasures();
