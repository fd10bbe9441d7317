-- needs 0026_going_live_gate
-- What each partner uses, and on which days (UTC) it first and last did. No foreign key: an insert would lock the row of the partner.
create table partner_use (
  partner_id bigint not null,
  -- `operation`, `scope`, `field`, `media_type`, `client`.
  kind text collate "C" not null,
  name text collate "C" not null,
  first_used_on date not null,
  last_used_on date not null,
  primary key (partner_id, kind, name)
);
create index partner_use_name on partner_use (kind, name, partner_id);
-- Also the search by the last day.
create index partner_use_last on partner_use (last_used_on, kind, name, partner_id);

-- The disputes of a citizen, newest first.
create index if not exists dispute_citizen_id on dispute (citizen_id, id);
