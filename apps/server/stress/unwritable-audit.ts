// Faults that make the audit or the whole database read-only, and how to revert each of them.
import pg from 'pg'

export type DatabaseControl = { sql(text: string): Promise<void>; reconnect(): Promise<void>; name: string }
type AuditFault = {
  how: string
  apply(control: DatabaseControl): Promise<unknown>
  revert(control: DatabaseControl): Promise<unknown>
}

const ROLE = 'tiwala_without_audit'
const trigger = (body: string) => `
  create function injected_fault() returns trigger language plpgsql as $$ begin ${body} end $$;
  create trigger injected_fault before insert on audit_event for each row execute function injected_fault()`
const dropTrigger = (control: DatabaseControl) =>
  control.sql('drop trigger injected_fault on audit_event; drop function injected_fault()')

export const AUDIT_FAULTS: AuditFault[] = [
  {
    how: 'every insert raises',
    apply: ({ sql }) => sql(trigger(`raise exception 'no';`)),
    revert: dropTrigger,
  },
  {
    how: 'inserts are silently dropped',
    apply: ({ sql }) => sql(trigger('return null;')),
    revert: dropTrigger,
  },
  {
    how: 'a constraint refuses every row',
    apply: ({ sql }) => sql('alter table audit_event add constraint injected_fault check (false) not valid'),
    revert: ({ sql }) => sql('alter table audit_event drop constraint injected_fault'),
  },
  {
    how: 'the permission to insert is revoked',
    apply: async ({ sql, name, reconnect }) => {
      await sql(`
        create role ${ROLE};
        grant all on all tables in schema public to ${ROLE};
        grant usage on schema public to ${ROLE};
        revoke insert on audit_event from ${ROLE};
        alter database ${name} set role = ${ROLE}`)
      await reconnect()
    },
    revert: async ({ sql, name, reconnect }) => {
      await sql(`set role none; alter database ${name} reset role; drop owned by ${ROLE}; drop role ${ROLE}`)
      await reconnect()
    },
  },
  {
    how: 'every transaction is read-only',
    apply: async ({ sql, name, reconnect }) => {
      await sql(`alter database ${name} set default_transaction_read_only = on`)
      await reconnect()
    },
    revert: async ({ sql, name, reconnect }) => {
      await sql(
        `set default_transaction_read_only = off; alter database ${name} reset default_transaction_read_only`,
      )
      await reconnect()
    },
  },
  {
    how: 'another transaction locks the table',
    apply: ({ sql }) => sql('begin; lock table audit_event'),
    revert: ({ sql }) => sql('rollback'),
  },
]

/** Direct access to a service's database. `untilUp` waits until the service has reconnected. */
export async function openDatabaseControl(address: string, untilUp: () => Promise<unknown>) {
  const client = new pg.Client(address)
  await client.connect()
  const sql = async (text: string) => void (await client.query(text))
  const reconnect = async () => {
    await sql(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
    )
    await untilUp()
  }
  const control: DatabaseControl = { sql, reconnect, name: new URL(address).pathname.slice(1) }
  const count = async (from: string) =>
    Number((await client.query<{ count: string }>(`select count(*) as count from ${from}`)).rows[0]!.count)
  const namesOf = async (query: string) =>
    (await client.query<{ name: string }>(query)).rows.map(({ name }) => name)
  return { ...control, count, namesOf, [Symbol.asyncDispose]: () => client.end() }
}
