import { sql } from 'kysely'
import type { Database } from './connect.ts'

/**
 * Throws unless PostgreSQL and JavaScript read the same times from the name of the zone, a year back and
 * ahead. PostgreSQL computes `accepted_at`, and programs of partners read it with the name in `X-Time-Zone`.
 * Some names mean different zones to them: `+08:00` is west of UTC for PostgreSQL, `AST` is the Atlantic or
 * Alaska. PostgreSQL ignores the case of a name, other programs do not.
 */
export async function requireTimeZone(db: Database, timeZone: string): Promise<void> {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  const { rows } = await sql<{ at: Date; local: string }>`
    select at, to_char(at at time zone name, 'YYYY-MM-DD HH24:MI:SS') as local
      from pg_timezone_names, generate_series(now() - interval '1 year', now() + interval '1 year', '1 week') at
     where name = ${timeZone}`.execute(db)
  if (rows.length === 0)
    throw new Error(
      `TIWALA_TIME_ZONE: PostgreSQL has no time zone "${timeZone}". Write a name of the IANA database, with its ` +
        'capitals, such as Asia/Manila.',
    )
  const different = rows.find(({ at, local }) => format.format(at) !== local)
  if (different)
    throw new Error(
      `TIWALA_TIME_ZONE: at ${different.at.toISOString()}, it is ${different.local} in "${timeZone}" for ` +
        `PostgreSQL, and ${format.format(different.at)} for Node. Update the time zones of the older one, or ` +
        'write another name, such as Asia/Manila.',
    )
}
