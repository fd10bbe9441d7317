import { sql } from 'kysely'
import type { TestService } from './test-service.ts'

/** Gives an administrator a name, as a session in a browser does. */
export const nameOperator = ({ db }: Pick<TestService, 'db'>, subject: string, name: string) =>
  sql`
    insert into operator_seen (subject, name, scopes) values (${subject}, ${name}, '')
    on conflict (subject) do update set name = excluded.name`.execute(db)
