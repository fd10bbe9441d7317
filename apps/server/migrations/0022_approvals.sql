-- needs 0021_operator_sessions
-- What waits for a second person.

create table approval (
  id bigint generated always as identity primary key,
  -- The name for people and for the audit. It reveals neither order nor count.
  approval_id text not null unique,
  -- What happens when the approval is granted.
  kind text not null,
  partner_id bigint references partner on delete cascade,
  -- A `member_id`, or the `sub` of an administrator.
  requested_by text not null,
  requested_at timestamptz not null default clock_now(),
  reason text,
  -- The exact change, and the same values before it.
  change jsonb not null,
  previous jsonb not null,
  expires_at timestamptz not null,
  -- Null: it waits, until it expires.
  decision text check (decision in ('GRANTED', 'RETURNED', 'WITHDRAWN', 'VOID')),
  decided_by text,
  decided_at timestamptz,
  decision_reason text
);
create index approval_partner on approval (partner_id, id);
create index approval_expiry on approval (expires_at);

-- Ends what waits to change one of these settings. Its requester asked for a change of another value. What has expired stays so.
create function void_approvals(changed_partner_id bigint, settings text[]) returns void language sql as $$
  update approval set decision = 'VOID', decided_at = clock_now()
   where partner_id = changed_partner_id and decision is null and clock_now() < expires_at and change ?| settings
$$;

-- The settings of a partner are in two tables. A granted change is decided before it is made, so it ends only others.
create function void_changed_settings() returns trigger language plpgsql as $$
declare
  before constant jsonb := to_jsonb(old);
  after constant jsonb := to_jsonb(new);
begin
  perform void_approvals((coalesce(after -> 'partner_id', after -> 'id'))::bigint, array(
    select key from jsonb_object_keys(after) as key where after -> key is distinct from before -> key
  ));
  return null;
end $$;
create trigger settings_changed after update on partner for each row
  when ((old.callback_url, old.sso_url, old.ip_allow_list) is distinct from (new.callback_url, new.sso_url, new.ip_allow_list))
  execute function void_changed_settings();
create trigger settings_changed after update on partner_sign_in for each row
  when ((old.redirect_uris, old.keys, old.jwks_url) is distinct from (new.redirect_uris, new.keys, new.jwks_url))
  execute function void_changed_settings();
