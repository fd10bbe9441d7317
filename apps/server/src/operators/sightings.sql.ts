import type { Schemas } from '@tiwala/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { MAX_ID } from '../database/pagination.ts'

type Times = Record<'first_seen_at' | 'seen_at', Date>
export type OperatorRow = Omit<Schemas['Operator'], keyof Times | 'scopes'> &
  Times & { id: number; scopes: string }

/** `scopes`: separated by spaces. A token has no name, and leaves that of an earlier session. */
export async function writeSighting(
  db: Database,
  { subject, name, scopes }: Pick<OperatorRow, 'subject' | 'name' | 'scopes'>,
): Promise<void> {
  await sql`
    insert into operator_seen as o (subject, name, scopes) values (${subject}, ${name}, ${scopes})
        on conflict (subject) do update
       set name = coalesce(excluded.name, o.name), scopes = excluded.scopes, seen_at = clock_now()`.execute(
    db,
  )
}

/** Who came for the first time last comes first. */
export async function findOperators(db: Database, before = MAX_ID, limit: number): Promise<OperatorRow[]> {
  const { rows } = await sql<OperatorRow>`
    select id, subject, name, scopes, first_seen_at, seen_at from operator_seen
     where id < ${before} order by id desc limit ${limit}`.execute(db)
  return rows
}
