-- needs 0007_list_indexes
-- The settings that the data depends on, with the values of the first start that has them. The environment is in `installation`.
create table if not exists bound_setting (
  name text primary key,
  value text not null
);

-- The keys that this database was used with. A key ring that lacks those in use belongs to another database.
create table if not exists bound_key (
  purpose text not null,
  kid text not null,
  -- Tells two keys with the same kid apart, and reveals nothing of the key.
  fingerprint text not null,
  bound_at timestamptz not null default clock_timestamp(),
  primary key (purpose, kid)
);
