// The sessions of administrators in browsers. A session keeps the scopes of its sign-in. An id is stored as its HMAC only.
import { sql } from 'kysely'
import { insertAdminAudit } from '../audit/insert-audit.sql.ts'
import { NOW } from '../database/clock.ts'
import type { Database } from '../database/connect.ts'
import { deleteOldRows } from '../database/delete-old-rows.ts'

export type NewOperatorSession = {
  hmac: string
  sessionId: string
  /** The `sub` of the person, as in a token. */
  subject: string
  name: string | null
  scopes: string[]
  hours: number
  requestId: string
}

export async function insertOperatorSession(
  db: Database,
  { hmac, sessionId, subject, name, scopes, hours, requestId }: NewOperatorSession,
): Promise<void> {
  await sql`
    with session as (
      insert into operator_session (hmac, session_id, subject, name, scopes, expires_at)
      values (${hmac}, ${sessionId}, ${subject}, ${name}, ${scopes.join(' ')}, clock_now() + make_interval(hours => ${hours}))
      returning session_id
    )
    ${insertAdminAudit({ kind: 'session.started', actor: subject, requestId, from: 'session', detailColumn: 'session_id' })}`.execute(
    db,
  )
}

export type OperatorSessionRow = {
  hmac: string
  subject: string
  name: string | null
  scopes: string
  expires_at: Date
}

/** A session that has not ended. Continues it. */
export async function findOperatorSession(
  db: Database,
  hmacs: string[],
  idleMinutes: number,
): Promise<OperatorSessionRow | undefined> {
  const { rows } = await sql<OperatorSessionRow>`
    with found as (
      select hmac, subject, name, scopes, used_at, expires_at from operator_session
       where hmac = any(${hmacs}) and clock_now() < expires_at
         and clock_now() < used_at + make_interval(mins => ${idleMinutes})
    ), used as (
      update operator_session s set used_at = clock_now() from found f
       where s.hmac = f.hmac and f.used_at < clock_now() - interval '1 minute'
    )
    select hmac, subject, name, scopes, expires_at from found`.execute(db)
  return rows[0]
}

/** For a restored backup: a session from before it may have ended since. */
export const END_ALL_OPERATOR_SESSIONS = sql`delete from operator_session`

/** Ends the session with this HMAC. */
export async function deleteOperatorSession(
  db: Database,
  hmac: string,
  { actor, requestId }: { actor: string; requestId: string },
): Promise<void> {
  await sql`
    with ended as (delete from operator_session where hmac = ${hmac} returning session_id)
    ${insertAdminAudit({ kind: 'session.ended', actor, requestId, from: 'ended', detailColumn: 'session_id' })}`.execute(
    db,
  )
}

/** Deletes sessions that have ended; returns how many. */
export function deleteEndedOperatorSessions(
  db: Database,
  idleMinutes: number,
  limit: number,
): Promise<number> {
  const isOld = sql`expires_at <= ${NOW} or used_at <= ${NOW} - make_interval(mins => ${idleMinutes})`
  return deleteOldRows(db, 'operator_session', ['hmac'], isOld, limit)
}
