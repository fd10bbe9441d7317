-- needs 0006_sandbox_network
-- A page of a list, with each combination of its filters, is one range of an index, however many rows the table has
-- (`rangeOf` in `database/pagination.ts`).

-- The history of a citizen, and the changes of the preferences.
create index if not exists audit_event_of_citizen on audit_event (citizen_id, kind, id)
  where kind in ('profile.disclosed', 'profile.viewed', 'sso.authenticated',
                 'citizen.erased', 'citizen.written', 'preferences.changed');
-- A disclosure by its request. The list of kinds is `IS_DISCLOSURE` of `disclosures/disclosure.sql.ts`.
create index if not exists audit_event_disclosure on audit_event (request_id)
  where kind in ('profile.disclosed', 'profile.viewed', 'sso.authenticated');
-- The search of the audit.
create index if not exists audit_event_time on audit_event (occurred_at, id);
create index if not exists audit_event_kind_time on audit_event (kind, occurred_at, id);
create index if not exists audit_event_partner_time on audit_event (partner_id, occurred_at, id);
create index if not exists audit_event_partner_kind_time on audit_event (partner_id, kind, occurred_at, id);
create index if not exists dispute_partner_id on dispute (partner_id, id);
create index if not exists callback_event_partner_id on callback_event (partner_id, id);
create index if not exists callback_event_status_id on callback_event (status, id);
create index if not exists callback_event_partner_status on callback_event (partner_id, status, id);
-- The records of a citizen in each state, newest first.
create index if not exists authorization_record_citizen_state
  on authorization_record (citizen_id, state, requested_at desc, id desc);
