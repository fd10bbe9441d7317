-- needs 0005_qr_code_audience
-- The HMAC of the visitor's network, to limit how many sandboxes one network has. Null: the default sandbox.
alter table sandbox add column if not exists network_hmac text;
