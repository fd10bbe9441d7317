-- needs 0022_approvals
-- What people of a partner see of its deliveries.
alter table callback_event
  -- The last attempts, the oldest first: outcome, duration, and milliseconds since the event, so that the sandbox can
  -- make the event older.
  add column if not exists attempt_log json[] not null default '{}';
-- The lists of a partner: each type and status is one range, in the order of time.
create index if not exists callback_event_partner_type on callback_event (partner_id, type, status, occurred_at, id);
create index if not exists callback_event_tracking_no on callback_event (partner_id, (data->>'tracking_no'))
  where data->>'tracking_no' is not null;
