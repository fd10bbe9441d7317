-- needs 0017_audit_archive
alter table sign_in_request
  -- How the citizen was authenticated (RFC 8176), as the token that approved says it.
  add column amr text[],
  -- The citizen tried to approve with less assurance than the request needs. The partner learns it when the request ends.
  add column is_assurance_missed boolean not null default false;
