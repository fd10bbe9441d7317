-- needs 0026_going_live_gate
-- Takes the advisory locks of these citizens in ascending order, and then reads the rows (`citizen-lock.sql.ts`). The last query has a
-- snapshot of its own, so it sees what was committed before the locks were taken.
create or replace function lock_citizens(ids bigint[], is_exclusive boolean)
returns table (id bigint, frozen boolean, blocked_partner_ids bigint[]) language plpgsql volatile rows 20 as $$
begin
  if is_exclusive then
    perform pg_advisory_xact_lock(1, key)
       from (select distinct (each & 2147483647)::int as key from unnest(ids) each order by key) keys;
  else
    perform pg_advisory_xact_lock_shared(1, key)
       from (select distinct (each & 2147483647)::int as key from unnest(ids) each order by key) keys;
  end if;
  return query select c.id, c.frozen, c.blocked_partner_ids from citizen c where c.id = any(ids);
end $$;

-- A foreign key locks the row of the citizen for each insert. PostgreSQL then logs the page of the citizen after each checkpoint
-- (`SCALING.md`). Only a sandbox deletes citizens, and it deletes these rows itself (`owned-rows.sql.ts`).
do $$
declare
  found record;
begin
  for found in
    select conrelid::regclass as name, conname from pg_constraint
     where contype = 'f' and confrelid = 'citizen'::regclass and conparentid = 0
       and conrelid in ('qr_code'::regclass, 'authorization_record'::regclass, 'exchange_code'::regclass,
                        'sign_in_request'::regclass)
  loop
    execute format('alter table %s drop constraint %I', found.name, found.conname);
  end loop;
end $$;
