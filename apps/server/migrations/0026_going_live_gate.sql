-- needs 0025_going_live
-- The decision about the report of a partner for going live (`GoingLive` of the contract). Null: the partner needs none.
alter table partner add column if not exists going_live jsonb;
