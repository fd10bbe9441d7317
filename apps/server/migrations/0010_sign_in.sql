-- needs 0009_reasons_and_receipts
-- Sign-in by OpenID Connect.

-- How a partner uses it. Keys and `jwks_url`: only one of them; without both the partner authenticates with its secret.
create table partner_sign_in (
  partner_id bigint primary key references partner on delete cascade,
  redirect_uris text[] not null,
  post_logout_redirect_uris text[] not null,
  -- The browser may also return to every loopback address. Only partners of developers have it.
  allows_loopback boolean not null default false,
  profile text not null check (profile in ('standard', 'fapi2')),
  id_token_alg text not null,
  keys jsonb not null,
  jwks_url text
);

-- What a partner may ask for, by purpose. The statement that discloses compares the items with it.
create table sign_in_purpose (
  partner_id bigint not null references partner on delete cascade,
  name text not null,
  -- The first purpose applies to requests that name none.
  position int not null,
  text text not null,
  items text[] not null,
  optional_items text[] not null,
  minimum_acr text,
  primary key (partner_id, name)
);

-- One browser that wants to sign a citizen in. States: PENDING, then APPROVED, DECLINED or CANCELLED; APPROVED goes on
-- when the same browser comes back (`grant_hmac`), and is disclosed once (`disclosed_at`).
create table sign_in_request (
  id text primary key,
  partner_id bigint not null references partner on delete cascade,
  -- The authorization request. Its id opens nothing without two cookies of the browser that began it.
  interaction_uid text not null unique,
  -- The HMAC of one of the cookies.
  browser_hmac text not null,
  purpose text not null,
  items text[] not null,
  optional_items text[] not null,
  -- What the partner asks for beyond the minimum of the purpose.
  minimum_acr text,
  max_age_seconds int,
  comparison text not null,
  state text not null default 'PENDING' check (state in ('PENDING', 'APPROVED', 'DECLINED', 'CANCELLED')),
  requested_at timestamptz not null default clock_now(),
  expires_at timestamptz not null,
  epoch int not null default current_epoch(),
  -- The first citizen who opened the request. Null: it was not opened yet.
  citizen_id bigint references citizen on delete cascade,
  is_same_device boolean,
  answered_at timestamptz,
  -- What the citizen shares, and the assurance of the token that approved.
  shared_items text[],
  acr text,
  authenticated_at timestamptz,
  grant_hmac text unique,
  disclosed_at timestamptz,
  -- The secret with which the partner redeemed the code. Null: it used a key. The access token ends with it.
  credential_id bigint,
  userinfo_reads int not null default 0
);
create index sign_in_request_expires on sign_in_request (expires_at);
create index sign_in_request_citizen on sign_in_request (citizen_id, expires_at);

-- The state of the protocol: sessions, authorization requests, codes, tokens, used proofs. Ids are stored as HMACs, since
-- most of them are bearer secrets; the content is encrypted.
create table oidc_state (
  model text not null,
  id_hmac text not null,
  content text not null,
  grant_hmac text,
  uid_hmac text,
  epoch int not null default current_epoch(),
  expires_at timestamptz not null,
  consumed_at timestamptz,
  primary key (model, id_hmac)
);
create index oidc_state_expires on oidc_state (expires_at);
create index oidc_state_grant on oidc_state (grant_hmac) where grant_hmac is not null;
create index oidc_state_uid on oidc_state (uid_hmac) where uid_hmac is not null;
