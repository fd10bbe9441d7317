-- needs 0011_record_partitions
-- SHA-256 of the value that the redemption must present (RFC 7636, S256). Null: the sign-in is not bound to one.
alter table exchange_code add column if not exists code_challenge text;
