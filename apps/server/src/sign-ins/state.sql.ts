import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { deleteOldRows } from '../database/delete-old-rows.ts'

export type StateRow = {
  id_hmac: string
  content: string
  is_consumed: boolean
}

type Key = { model: string; hmacs: string[] }
export type NewState = {
  model: string
  idHmac: string
  content: string
  grantHmac: string | null
  uidHmac: string | null
  seconds: number
}

const insertion = ({ model, idHmac, content, grantHmac, uidHmac, seconds }: NewState) => sql`
    insert into oidc_state (model, id_hmac, content, grant_hmac, uid_hmac, expires_at)
    values (${model}, ${idHmac}, ${content}, ${grantHmac}, ${uidHmac}, clock_now() + make_interval(secs => ${seconds}))`

export async function putState(db: Database, state: NewState): Promise<void> {
  await sql`
    ${insertion(state)}
    on conflict (model, id_hmac) do update
       set content = excluded.content, grant_hmac = excluded.grant_hmac, uid_hmac = excluded.uid_hmac,
           expires_at = excluded.expires_at`.execute(db)
}

/** False: it exists already. */
export async function insertState(db: Database, state: NewState): Promise<boolean> {
  const { rows } = await sql`${insertion(state)} on conflict do nothing returning 1`.execute(db)
  return rows.length > 0
}

/** `undefined`: there is none, it has expired, or it is of another epoch. */
export async function findState(
  db: Database,
  { model, hmacs }: Key,
  column: 'id_hmac' | 'uid_hmac' = 'id_hmac',
): Promise<StateRow | undefined> {
  const { rows } = await sql<StateRow>`
    select id_hmac, content, consumed_at is not null as is_consumed from oidc_state
     where model = ${model} and ${sql.ref(column)} = any(${hmacs}) and clock_now() < expires_at
       and epoch = (select current_epoch())
     order by expires_at desc limit 1`.execute(db)
  return rows[0]
}

/** Single use: false if it was consumed before, or has expired. */
export async function consumeState(db: Database, { model, hmacs }: Key): Promise<boolean> {
  const { rows } = await sql`
    update oidc_state set consumed_at = clock_now()
     where model = ${model} and id_hmac = any(${hmacs}) and consumed_at is null and clock_now() < expires_at
       and epoch = (select current_epoch()) returning 1`.execute(db)
  return rows.length > 0
}

export async function deleteState(db: Database, { model, hmacs }: Key): Promise<void> {
  await sql`delete from oidc_state where model = ${model} and id_hmac = any(${hmacs})`.execute(db)
}

/** Ends the codes and tokens of a grant. */
export async function deleteStateOfGrant(db: Database, grantHmacs: string[]): Promise<void> {
  await sql`delete from oidc_state where grant_hmac = any(${grantHmacs})`.execute(db)
}

export const deleteExpiredState = (db: Database, limit: number): Promise<number> =>
  deleteOldRows(db, 'oidc_state', ['model', 'id_hmac'], sql`expires_at < clock_now()`, limit)
