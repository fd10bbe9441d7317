-- needs 0031_audit_actor
-- Takes the advisory locks of these citizens, and then reads the rows (`citizen-lock.sql.ts`). The query at the end has a snapshot of its
-- own, so it sees what was committed before the locks were taken.
create or replace function lock_citizens(ids bigint[], is_exclusive boolean)
returns table (id bigint, frozen boolean, blocked_partner_ids bigint[]) language plpgsql volatile rows 20 as $$
declare
  key int;
begin
  for key in select distinct (each & 2147483647)::int from unnest(ids) each order by 1 loop
    if is_exclusive then
      perform pg_advisory_xact_lock(1, key);
    else
      perform pg_advisory_xact_lock_shared(1, key);
    end if;
  end loop;
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
                        'access_token'::regclass, 'sign_in_request'::regclass)
  loop
    execute format('alter table %s drop constraint %I', found.name, found.conname);
  end loop;
end $$;
