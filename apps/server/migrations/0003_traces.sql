-- needs 0002_sandbox
-- The trace of the request that caused an event (W3C Trace Context), to send with it. Null: its caller started no trace.
alter table callback_event add column traceparent text;
