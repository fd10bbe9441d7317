// A stopped clock of the database, for tests of what happens exactly when a lifetime ends.

const replaceClock = (body: string) =>
  `create or replace function clock_now() returns timestamptz language plpgsql volatile as $$ ${body} $$`

/** SQL that stops the clock at the current time. */
export const STOP_CLOCK = `do $do$ begin execute format(
  '${replaceClock('begin return %L::timestamptz; end')}', clock_now()); end $do$`

/** SQL that lets the clock run again, as the migration defines it. */
export const RUN_CLOCK = replaceClock('begin return clock_timestamp() + (select advance from clock); end')
