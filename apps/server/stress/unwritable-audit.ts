// Ways in which the audit, or the whole database, stops taking what is written to it, and the way back.
import pg from 'pg'

export type Hand = { sql(text: string): Promise<void>; reconnect(): Promise<void>; name: string }
type Way = { how: string; spoil(hand: Hand): Promise<unknown>; mend(hand: Hand): Promise<unknown> }

const ROLE = 'tiwala_without_audit'
const trigger = (body: string) => `
  create function spoil() returns trigger language plpgsql as $$ begin ${body} end $$;
  create trigger spoil before insert on audit_event for each row execute function spoil()`
const noTrigger = (hand: Hand) => hand.sql('drop trigger spoil on audit_event; drop function spoil()')

export const WAYS: Way[] = [
  { how: 'every insert raises', spoil: ({ sql }) => sql(trigger(`raise exception 'no';`)), mend: noTrigger },
  { how: 'inserts are silently dropped', spoil: ({ sql }) => sql(trigger('return null;')), mend: noTrigger },
  {
    how: 'a constraint refuses every row',
    spoil: ({ sql }) => sql('alter table audit_event add constraint spoil check (false) not valid'),
    mend: ({ sql }) => sql('alter table audit_event drop constraint spoil'),
  },
  {
    how: 'the right to insert is revoked',
    spoil: async ({ sql, name, reconnect }) => {
      await sql(`
        create role ${ROLE};
        grant all on all tables in schema public, job_queue to ${ROLE};
        grant usage on schema public, job_queue to ${ROLE};
        revoke insert on audit_event from ${ROLE};
        alter database ${name} set role = ${ROLE}`)
      await reconnect()
    },
    mend: async ({ sql, name, reconnect }) => {
      await sql(`set role none; alter database ${name} reset role; drop owned by ${ROLE}; drop role ${ROLE}`)
      await reconnect()
    },
  },
  {
    how: 'every transaction is read-only',
    spoil: async ({ sql, name, reconnect }) => {
      await sql(`alter database ${name} set default_transaction_read_only = on`)
      await reconnect()
    },
    mend: async ({ sql, name, reconnect }) => {
      await sql(`set default_transaction_read_only = off; alter database ${name} reset default_transaction_read_only`)
      await reconnect()
    },
  },
  { how: 'somebody holds the table', spoil: ({ sql }) => sql('begin; lock table audit_event'), mend: ({ sql }) => sql('rollback') },
]

/** A hand that reaches into a service's database past the service. `untilUp`: the service has found its way back. */
export async function reachInto(address: string, untilUp: () => Promise<unknown>) {
  const client = new pg.Client(address)
  await client.connect()
  const sql = async (text: string) => void (await client.query(text))
  const reconnect = async () => {
    await sql('select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()')
    await untilUp()
  }
  const hand: Hand = { sql, reconnect, name: new URL(address).pathname.slice(1) }
  const count = async (from: string) =>
    Number((await client.query<{ count: string }>(`select count(*) as count from ${from}`)).rows[0]!.count)
  const namesOf = async (query: string) => (await client.query<{ name: string }>(query)).rows.map(({ name }) => name)
  return { ...hand, count, namesOf, [Symbol.asyncDispose]: () => client.end() }
}
