-- needs 0012_code_challenge
-- How many citizens need each pair of keys: the pepper of the uniqid and the key that wraps the data key. The number is the sum of
-- the rows of a pair. Each statement that changes citizens adds a row, so that no two of them wait for each other. Housekeeping
-- adds the rows up.
create table citizen_key_count (
  pepper_kid text not null,
  wrapping_kid text not null,
  citizens bigint not null
);

create function count_citizen_keys() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into citizen_key_count
    select split_part(uniqid_hmac, '.', 1), split_part(data_key, '.', 1), count(*) from new_rows
     where data_key is not null group by 1, 2;
  elsif tg_op = 'DELETE' then
    insert into citizen_key_count
    select split_part(uniqid_hmac, '.', 1), split_part(data_key, '.', 1), -count(*) from old_rows
     where data_key is not null group by 1, 2;
  else
    insert into citizen_key_count
    select split_part(uniqid_hmac, '.', 1), split_part(data_key, '.', 1), sum(change) from (
      select uniqid_hmac, data_key, 1 as change from new_rows union all select uniqid_hmac, data_key, -1 from old_rows
    ) changed where data_key is not null group by 1, 2 having sum(change) <> 0;
  end if;
  return null;
end $$;
create trigger keys_inserted after insert on citizen referencing new table as new_rows
  for each statement execute function count_citizen_keys();
create trigger keys_updated after update on citizen referencing old table as old_rows new table as new_rows
  for each statement execute function count_citizen_keys();
create trigger keys_deleted after delete on citizen referencing old table as old_rows
  for each statement execute function count_citizen_keys();

-- The citizens of a pair of keys, to move them to other keys.
create index if not exists citizen_keys on citizen ((split_part(uniqid_hmac, '.', 1)), (split_part(data_key, '.', 1)))
  where data_key is not null;

insert into citizen_key_count
select split_part(uniqid_hmac, '.', 1), split_part(data_key, '.', 1), count(*) from citizen where data_key is not null group by 1, 2;
