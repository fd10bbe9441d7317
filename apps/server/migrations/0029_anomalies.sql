-- needs 0026_going_live
-- What the guard of partners noticed: behavior that is unusual for the partner (`Anomaly` of the contract).
create table anomaly (
  id bigint generated always as identity primary key,
  -- The name for people and for the audit. It reveals neither order nor count.
  anomaly_id text not null unique,
  partner_id bigint not null references partner on delete cascade,
  kind text not null,
  began_at timestamptz not null default clock_now(),
  -- Null: it is open.
  ended_at timestamptz,
  expected int not null,
  threshold int not null,
  -- The highest measure while it was open.
  observed int not null,
  address_ranges text[] not null,
  -- What the guard did when it began. Null: nothing.
  action text check (action in ('slow', 'suspend')),
  acknowledged_by text,
  acknowledged_at timestamptz,
  acknowledged_reason text
);
create unique index anomaly_open on anomaly (partner_id, kind) where ended_at is null;
create index anomaly_partner on anomaly (partner_id, id);

-- When the guard ran, and the hour of its first figures (both since 1970, UTC).
create table anomaly_check (checked_second bigint not null, first_hour int not null);
insert into anomaly_check values (0, floor(extract(epoch from clock_now()) / 3600)::int);

-- While an anomaly slows the partner, a part of its limits applies.
alter table partner add column if not exists is_slowed boolean not null default false;

-- The present hours of all partners, without the rows of each operation and duration.
create index if not exists partner_figure_guard on partner_figure (hour, partner_id) where kind in ('own', 'range', 'record');
create index if not exists partner_figure_range on partner_figure (partner_id, operation, hour) where kind = 'range';
create index if not exists dispute_time on dispute (disputed_at);
