-- needs 0008_bound_configuration
-- Why the administrator acted. Null: no reason was given.
alter table audit_event add column if not exists reason text;

-- The HMAC by which an erased citizen was found, to find the receipt again. It reveals nothing, and without its pepper
-- nothing can be found by it.
alter table citizen add column if not exists erased_uniqid_hmac text;
create index if not exists citizen_erased on citizen (erased_uniqid_hmac) where erased_uniqid_hmac is not null;
