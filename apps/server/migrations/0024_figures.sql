-- needs 0023_delivery_attempts
-- The figures of partners, which the workbench shows: what happened, counted by partner and hour. No foreign key: an insert would
-- lock the row of the partner.
create table partner_figure (
  partner_id bigint not null,
  -- Since 1970, UTC. No time, so that the sandbox does not make it older: hours would collide.
  hour int not null,
  -- `request`: of an operation, with an error code and a duration of at most `within_ms`. `unlisted`: missing in the log of
  -- requests. `limit`: the highest share of a limit, in percent. `attempt`: of a delivery, by the status after it.
  -- `record`: a request for authorization, by its end.
  kind text not null,
  operation text not null default '',
  outcome text not null default '',
  within_ms int not null default 0,
  count bigint not null,
  primary key (partner_id, hour, kind, operation, outcome, within_ms)
-- Each row is updated often. With free space in its page, the update writes no index.
) with (fillfactor = 70);
create index partner_figure_hour on partner_figure (hour);

-- Records that were requested before this second (since 1970) are counted, or are from before this migration.
create table counted_records (until_second bigint not null);
insert into counted_records select extract(epoch from clock_now())::bigint;
