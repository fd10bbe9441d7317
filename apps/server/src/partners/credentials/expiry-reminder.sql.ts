import { sql } from 'kysely'
import { NOW, utc } from '../../database/clock.ts'
import type { Database } from '../../database/connect.ts'
import { insertEvent } from '../../webhooks/insert-event.sql.ts'
import { HAS_SUCCESSOR } from './credential.sql.ts'

/**
 * Sends partners one event for each secret that expires soon and has no successor; returns how many.
 *
 * - `due`: locks such secrets and skips those that another process has locked.
 * - `reminder`: the secrets that are marked now. A secret is marked once.
 * - `event`: one for each, in the same transaction.
 */
export async function remindOfExpiry(db: Database, days: number, limit: number): Promise<number> {
  const { rows } = await sql`
    with due as (
      select id from credential c
       where reminded_at is null and revoked_at is null
         and expires_at > ${NOW} and expires_at < ${NOW} + make_interval(days => ${days})
         and not ${HAS_SUCCESSOR}
       limit ${limit} for update skip locked
    ), reminder as (
      update credential c set reminded_at = clock_now() from due
       where c.id = due.id returning c.partner_id, c.kind, c.expires_at
    ), event as (${insertEvent(
      'reminder',
      'credential.expiring',
      sql`json_build_object('credential', s.kind, 'expires_at', ${utc('s.expires_at')})`,
      null,
    )})
    select from reminder`.execute(db)
  return rows.length
}

/** The secrets in use that expire within the time and have no successor. */
export async function countExpiring(db: Database, days: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from credential c
     where revoked_at is null
       and expires_at between ${NOW} and ${NOW} + make_interval(days => ${days})
       and not ${HAS_SUCCESSOR}`.execute(db)
  return rows[0]!.count
}
