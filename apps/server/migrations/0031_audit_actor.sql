-- needs 0026_going_live_gate
-- The search of the audit by actor. Most events have none: those of partners and citizens.
create index if not exists audit_event_actor_time on audit_event (actor, occurred_at, id) where actor is not null;
create index if not exists audit_event_actor_kind_time on audit_event (actor, kind, occurred_at, id) where actor is not null;
create index if not exists audit_event_actor_partner_time on audit_event (actor, partner_id, occurred_at, id)
  where actor is not null and partner_id is not null;
create index if not exists audit_event_actor_partner_kind_time on audit_event (actor, partner_id, kind, occurred_at, id)
  where actor is not null and partner_id is not null;
