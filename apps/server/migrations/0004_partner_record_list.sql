-- needs 0003_traces
-- The records of a partner in each state, newest first. A page of `listRecords` is a range of it. It has the expression
-- `partner_id + 0`, so that only statements with this expression use it: before PostgreSQL has analyzed the table, an
-- inquiry for one record of a partner would otherwise read all records of the partner by this index.
create index if not exists authorization_record_partner
  on authorization_record ((partner_id + 0), state, requested_at desc, id desc);
