-- needs 0004_partner_record_list
-- The only partner that can use the QR code. Null: any partner can.
alter table qr_code add column if not exists partner_id bigint references partner;
