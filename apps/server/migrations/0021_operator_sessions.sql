-- needs 0020_audit_default
-- The sessions of administrators in the console.

create table operator_session (
  hmac text primary key,
  -- The name for people and for the audit.
  session_id text not null unique,
  -- The `sub` of the identity provider, and the name that people know.
  subject text not null,
  name text,
  -- Separated by spaces, as in a token.
  scopes text not null,
  started_at timestamptz not null default clock_now(),
  -- Written at most once a minute.
  used_at timestamptz not null default clock_now(),
  expires_at timestamptz not null
);
