import { type RawBuilder, sql } from 'kysely'

/** The name of an actor: of an administrator who has signed in to the console, otherwise null. */
export const actorName = (actor: RawBuilder<unknown>): RawBuilder<string | null> =>
  sql`(select name from operator_seen where subject = ${actor})`
