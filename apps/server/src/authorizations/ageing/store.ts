import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { notifyRecord } from '../../database/notifications.ts'
import type { Ageing } from '../../database/private-sandbox.ts'

/**
 * Moves the times of QR codes of these citizens, and of the records between them and the partner, into the
 * past. To the partner and the citizens, time has passed.
 *
 * - `aged_code`: the QR codes.
 * - `r`: the records. Requests that wait for one read it again.
 */
export async function ageRecords(db: Database, { partnerId, citizenIds, seconds }: Ageing): Promise<void> {
  const age = sql`make_interval(secs => ${seconds})`
  await sql`
    with aged_code as (
      update qr_code set expires_at = expires_at - ${age}, used_at = used_at - ${age}
       where citizen_id = any(${citizenIds})
    ), r as (
      update authorization_record
         set requested_at = requested_at - ${age}, expires_at = expires_at - ${age},
             accepted_at = accepted_at - ${age}, ended_at = ended_at - ${age},
             snapshot_until = snapshot_until - ${age}
       where partner_id = ${partnerId} and citizen_id = any(${citizenIds})
      returning partner_id, citizen_id, tracking_no
    )
    select ${notifyRecord} from r`.execute(db)
}

/** Deletes the records of a partner. */
export async function deleteRecordsOf(db: Database, partnerId: number): Promise<void> {
  await sql`delete from authorization_record where partner_id = ${partnerId}`.execute(db)
}
