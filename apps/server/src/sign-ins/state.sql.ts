// The state of the protocol. The statements of a sign-in are batched: a redemption needs six of them.
import { sql } from 'kysely'
import { batched, type BatchRow, list, unnestHmacs } from '../database/batch.ts'
import { lockTime, NOW } from '../database/clock.ts'
import type { Database } from '../database/connect.ts'
import { deleteOldRows } from '../database/delete-old-rows.ts'

export type StateRow = {
  id_hmac: string
  content: string
  is_consumed: boolean
  seconds_left: number
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

const insertAll = (states: NewState[]) => {
  const column = (read: (state: NewState) => unknown) => list(states.map(read), 'text')
  return sql`
    insert into oidc_state (model, id_hmac, content, grant_hmac, uid_hmac, expires_at)
    select model, id_hmac, content, grant_hmac, uid_hmac, clock_now() + make_interval(secs => seconds)
      from unnest(${column(({ model }) => model)}, ${column(({ idHmac }) => idHmac)},
                  ${column(({ content }) => content)}, ${column(({ grantHmac }) => grantHmac)},
                  ${column(({ uidHmac }) => uidHmac)}, ${list(
                    states.map(({ seconds }) => seconds),
                    'float8',
                  )})
           as i (model, id_hmac, content, grant_hmac, uid_hmac, seconds)
     order by model, id_hmac`
}

/** A row twice in one statement fails it, and then each input is stored alone. */
export const putState = batched(async (db, states: NewState[]): Promise<BatchRow[]> => {
  await sql`
    ${insertAll(states)}
    on conflict (model, id_hmac) do update
       set content = excluded.content, grant_hmac = excluded.grant_hmac, uid_hmac = excluded.uid_hmac,
           expires_at = excluded.expires_at`.execute(db)
  return []
})

/** False: it exists already. */
export async function insertState(db: Database, state: NewState): Promise<boolean> {
  const { rows } = await sql`${insertAll([state])} on conflict do nothing returning 1`.execute(db)
  return rows.length > 0
}

const modelOf: ['text', (key: Key) => string] = ['text', ({ model }) => model]

/** The disclosure of a sign-in consumes its code. */
const CONSUMED_AT = sql`case s.model when 'AuthorizationCode' then (
         select r.disclosed_at from sign_in_request r where r.grant_hmac = s.grant_hmac) else s.consumed_at end`

const findBy = (column: 'id_hmac' | 'uid_hmac') =>
  batched(async (db, keys: Key[]): Promise<(StateRow & BatchRow)[]> => {
    const { rows } = await sql<StateRow & BatchRow>`
      select i.input_no, s.id_hmac, s.content, ${CONSUMED_AT} is not null as is_consumed,
             extract(epoch from s.expires_at - ${NOW})::float8 as seconds_left
        from ${unnestHmacs(keys, ({ hmacs }) => hmacs, { model: modelOf })}
        join oidc_state s on s.model = i.model and ${sql.ref(`s.${column}`)} = i.hmac
       where ${NOW} < s.expires_at and s.epoch = (select current_epoch())
       order by s.expires_at`.execute(db)
    return rows
  })

/** `undefined`: there is none, it has expired, or it is of another epoch. */
export const findState = findBy('id_hmac')
export const findStateByUid = findBy('uid_hmac')

/**
 * Single use: `undefined` if it was consumed before, or has expired.
 *
 * - `state`: locked in the order of the key. `lock_time`: the time after these locks.
 */
export const consumeState = batched(async (db, keys: Key[]): Promise<BatchRow[]> => {
  const { rows } = await sql<BatchRow>`
    with state as (
      select i.input_no, s.model, s.id_hmac, s.consumed_at, s.expires_at, s.epoch
        from ${unnestHmacs(keys, ({ hmacs }) => hmacs, { model: modelOf })}
        join oidc_state s on s.model = i.model and s.id_hmac = i.hmac
       order by s.model, s.id_hmac for update of s
    ), ${lockTime('state')}
    update oidc_state s set consumed_at = now from state, lock_time
     where s.model = state.model and s.id_hmac = state.id_hmac and state.consumed_at is null
       and now < state.expires_at and state.epoch = (select current_epoch())
    returning state.input_no`.execute(db)
  return rows
})

export async function deleteState(db: Database, { model, hmacs }: Key): Promise<void> {
  await sql`delete from oidc_state where model = ${model} and id_hmac = any(${hmacs})`.execute(db)
}

/** Ends the codes and tokens of a grant. */
export async function deleteStateOfGrant(db: Database, grantHmacs: string[]): Promise<void> {
  await sql`delete from oidc_state where grant_hmac = any(${grantHmacs})`.execute(db)
}

/** Deletes state that expired ten minutes ago. Until then, a diagnosis says when a code expired. */
export const deleteExpiredState = (db: Database, limit: number): Promise<number> =>
  deleteOldRows(
    db,
    'oidc_state',
    ['model', 'id_hmac'],
    sql`expires_at < ${NOW} - interval '10 minutes'`,
    limit,
  )
