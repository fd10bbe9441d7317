-- needs 0026_going_live_gate
-- The processes of the service. Each writes its own row every few seconds, by the clock of PostgreSQL, which no sandbox moves.
create table process (
  process_id text primary key,
  version text not null,
  contract text not null,
  schema text not null,
  node text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  -- The newest housekeeping task that ended well, and the newest that failed.
  housekept_at timestamptz,
  housekeeping_failed_at timestamptz,
  -- Of its key ring: `[{"purpose", "kid", "is_current"}]`.
  keys jsonb not null
);

-- The administrators that the service has seen. Who may do what is decided by their identity provider.
create table operator_seen (
  id bigint generated always as identity primary key,
  subject text not null unique,
  -- Of the newest session in a browser. A token has no name.
  name text,
  scopes text not null,
  first_seen_at timestamptz not null default clock_now(),
  seen_at timestamptz not null default clock_now()
);
