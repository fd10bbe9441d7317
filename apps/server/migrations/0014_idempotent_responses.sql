-- needs 0013_citizen_keys
-- Responses that show a secret once, so that a client whose connection broke gets the same one again. The key of the
-- client is stored as an HMAC, the response encrypted and bound to its row and to the request.
create table idempotent_response (
  key_hmac text primary key,
  request_hash text not null,
  content text not null,
  expires_at timestamptz not null
);
create index idempotent_response_expires on idempotent_response (expires_at);
