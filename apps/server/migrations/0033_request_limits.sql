-- needs 0032_citizen_lock
-- Seconds until the citizen may get one more request; null: now. The caller holds the lock of the citizen. The function is volatile, so
-- that each of its statements sees what the earlier holders of the lock have committed.
--
-- It reads the records that can count: those of the last hour, or of `answer_seconds` if a request can be pending for longer. A
-- viewed record never counts. The records from before `0011_record_partitions` are not counted. The query is planned at each call,
-- because a kept plan has no day, and would lock all partitions and their indexes. So the query is one that is planned fast.
create function wait_before_request(
  asked_citizen_id bigint, asking_partner_id bigint, most_pending int, most_pending_of_partner int, most_in_an_hour int,
  answer_seconds int
) returns int language plpgsql volatile set plan_cache_mode = force_custom_plan as $$
declare
  now_is timestamptz := clock_now();
  hour_ago timestamptz := now_is - interval '1 hour';
  earliest timestamptz := least(hour_ago, now_is - make_interval(secs => answer_seconds));
  lowest text := tracking_time(earliest);
  above text := tracking_time(now_is + interval '1 second');
  pending timestamptz[];
  pending_of_partner timestamptz[];
  asked timestamptz[];
  free_at timestamptz;
begin
  -- In the order of the index of the citizen. Without it, PostgreSQL may read all records of the day by another index, if it analyzed
  -- the table while few citizens had records.
  select array_agg(expires_at order by expires_at desc) filter (where state = 'PENDING' and now_is < expires_at),
         array_agg(expires_at order by expires_at desc)
           filter (where state = 'PENDING' and now_is < expires_at and partner_id = asking_partner_id),
         array_agg(requested_at order by requested_at desc) filter (where scope = 'PROFILE_INQUIRE' and requested_at > hour_ago)
    into pending, pending_of_partner, asked
    from (
      select * from authorization_record
       where citizen_id = asked_citizen_id and state = any('{PENDING,ACCEPTED,DECLINED,EXPIRED,CANCELLED,REVOKED}')
         and requested_at > earliest and tracking_no >= lowest and tracking_no < above
       order by citizen_id, state, requested_at desc, id desc
    ) own;
  -- With `most` records or more, one more is possible when the one at this place has ended. With fewer, the element is null.
  free_at := greatest(pending[most_pending], pending_of_partner[most_pending_of_partner],
                      asked[most_in_an_hour] + interval '1 hour');
  return case when free_at is not null then greatest(1, ceil(extract(epoch from free_at - now_is))) end;
end $$;
