-- The sandboxes. In live these tables are empty.
create table sandbox (
  id bigint generated always as identity primary key,
  -- The name in the addresses of the sandbox: `default`, or 130 random bits, which are the permission to use it.
  sandbox_id text not null unique,
  -- The name in its callback URL, which reveals no permission.
  inbox_key text not null unique,
  partner_id bigint not null unique references partner,
  -- The HMAC of the visitor's address, to limit how many sandboxes one address has. Null: the default sandbox.
  address_hmac text,
  -- Infinity: the default sandbox.
  expires_at timestamptz not null,
  -- How far the clock of this sandbox was moved.
  advanced_seconds float8 not null default 0,
  -- How many of the next deliveries the inbox refuses, so that the visitor sees a retry.
  refused_deliveries int not null default 0
);
create index sandbox_expires on sandbox (expires_at);
create index sandbox_address on sandbox (address_hmac);

create table sandbox_citizen (
  citizen_id bigint primary key references citizen on delete cascade,
  sandbox bigint not null references sandbox on delete cascade,
  behavior text not null check (behavior in ('manual', 'accepts', 'declines', 'ignores'))
);
create index sandbox_citizen_sandbox on sandbox_citizen (sandbox);

-- The requests of a sandbox's partner, newest last.
create table sandbox_request (
  id bigint generated always as identity primary key,
  sandbox bigint not null references sandbox on delete cascade,
  request_id text not null,
  received_at timestamptz not null,
  method text not null,
  -- Null: the request was refused before its operation was known.
  operation text,
  status int not null,
  error text,
  duration_ms int not null
);
create index sandbox_request_sandbox on sandbox_request (sandbox, id desc);

-- The events that the inbox of a sandbox has received.
create table sandbox_event (
  id bigint generated always as identity primary key,
  sandbox bigint not null references sandbox on delete cascade,
  received_at timestamptz not null default clock_now(),
  attempts int not null default 1,
  is_refused boolean not null,
  -- Null: the request named no event.
  webhook_id text,
  webhook_timestamp text,
  webhook_signature text,
  signature_ok boolean not null,
  body text not null,
  -- An event that is received again is the same event. Forgeries of it are kept apart.
  unique (sandbox, signature_ok, webhook_id)
);
