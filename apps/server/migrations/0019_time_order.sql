-- needs 0018_sign_in_assurance
-- The id of an event begins with its second, so that its index has new ids beside each other. A random id changes a random page for each
-- event, which PostgreSQL writes to its log as a whole after a checkpoint.
alter table callback_event alter column webhook_id
  set default 'evt_' || to_hex(floor(extract(epoch from clock_now()))::bigint) || right(replace(gen_random_uuid()::text, '-', ''), 24);

-- Their rows end after days. With the default of 20 % the rows of six days of events wait for a vacuum.
alter table callback_event set (autovacuum_vacuum_scale_factor = 0.02);
alter table qr_code set (autovacuum_vacuum_scale_factor = 0.02);
alter table exchange_code set (autovacuum_vacuum_scale_factor = 0.02);
alter table access_token set (autovacuum_vacuum_scale_factor = 0.02);
