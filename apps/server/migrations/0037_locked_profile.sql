-- needs 0036_sandbox_condition
-- As `lock_citizens` of 0032, which processes of the version before use, and with the encrypted profile (`citizen-lock.sql.ts`).
create or replace function lock_citizen_rows(ids bigint[], is_exclusive boolean)
returns table (id bigint, frozen boolean, blocked_partner_ids bigint[], profile text)
language plpgsql volatile rows 20 as $$
begin
  if is_exclusive then
    perform pg_advisory_xact_lock(1, key)
       from (select distinct (each & 2147483647)::int as key from unnest(ids) each order by key) keys;
  else
    perform pg_advisory_xact_lock_shared(1, key)
       from (select distinct (each & 2147483647)::int as key from unnest(ids) each order by key) keys;
  end if;
  return query select c.id, c.frozen, c.blocked_partner_ids, c.profile from citizen c where c.id = any(ids);
end $$;
