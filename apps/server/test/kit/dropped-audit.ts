/** Longer than a busy machine needs to end the statements that use the table. */
const WAIT = `select set_config('lock_timeout', '60000', true);`

/** SQL that makes the database silently drop every new row of the audit. */
export const DROP_AUDIT_ROWS = `${WAIT}
  create function drop_row() returns trigger language plpgsql as $$ begin return null; end $$;
  create trigger drop_row before insert on audit_event for each row execute function drop_row()`

/** SQL that ends it. */
export const KEEP_AUDIT_ROWS = `${WAIT} drop function drop_row cascade`
