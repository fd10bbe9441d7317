-- needs 0024_figures
-- What the check of an integration reads of the requests of a partner.
alter table partner_request
  -- The state of the record that the response told.
  add column if not exists told_state text,
  -- The header `Retry-After` of the response.
  add column if not exists retry_after_seconds int,
  -- A page sent it, as that of the sandbox, and no server of the partner.
  add column if not exists is_from_browser boolean not null default false,
  -- The partner has read why the request was rejected.
  add column if not exists is_looked_up boolean not null default false;
