-- needs 0033_request_limits
-- How far the clock of the sandbox of a citizen was moved; in live always 0. A move makes everything of a sandbox older
-- (`owned-rows.sql.ts`). A position in the citizen's event stream is a time plus this, so no move changes it.
create function advance_of_citizen(asked_citizen_id bigint) returns interval language plpgsql stable as $$
begin
  return make_interval(secs => coalesce((
    select s.advanced_seconds from sandbox_citizen c join sandbox s on s.id = c.sandbox where c.citizen_id = asked_citizen_id
  ), 0));
end $$;
