// Each pair of operations that end an authorization record, in both orders, stopped at each lock. The stored
// state and the audit must be those of one of the two orders without an overlap.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { answerPending } from '../../src/authorizations/answer/answer.sql.ts'
import { cancelPending } from '../../src/authorizations/cancel-authorization/cancel-authorization.sql.ts'
import { expirePending } from '../../src/authorizations/expiry.sql.ts'
import { revokeConsent } from '../../src/authorizations/revoke-authorization/revoke-authorization.sql.ts'
import type { Database } from '../../src/database/connect.ts'
import { startServiceForFile } from '../kit/api-client.ts'
import { gatesAt, interleave } from '../kit/interleave.ts'

const { service, api } = await startServiceForFile()
const ORIGIN = { requestId: 'interleaved', traceparent: null }
const PAST_THE_END_SECONDS = 301

type Transition = 'accepted' | 'declined' | 'cancelled' | 'expired' | 'revoked'
type Parties = { tracking_no: string; uniqid_hmac: string; profile: string; partner_id: number }

const run: Record<Transition, (tx: Database, parties: Parties) => Promise<unknown>> = {
  accepted: (tx, { uniqid_hmac, tracking_no, profile }) =>
    answerPending(
      tx,
      [uniqid_hmac],
      tracking_no,
      { answer: 'ACCEPTED', profile, snapshot: 'encrypted', resultTtlSeconds: 3_600 },
      ORIGIN,
    ),
  declined: (tx, { uniqid_hmac, tracking_no }) =>
    answerPending(tx, [uniqid_hmac], tracking_no, { answer: 'DECLINED' }, ORIGIN),
  cancelled: (tx, { partner_id, tracking_no }) => cancelPending(tx, partner_id, tracking_no, ORIGIN),
  expired: async (tx) => {
    await service.advance(PAST_THE_END_SECONDS)
    await expirePending(tx, 100)
  },
  revoked: (tx, { uniqid_hmac, tracking_no }) => revokeConsent(tx, [uniqid_hmac], tracking_no, ORIGIN),
}
const transitions = Object.keys(run) as Transition[]

/** What a pending record goes through if these run one after the other. */
function inTurn(...order: Transition[]): Transition[] {
  const path: Transition[] = []
  for (const transition of order)
    if (transition === 'revoked' ? path.at(-1) === 'accepted' : path.length === 0) path.push(transition)
  return path
}

async function createParties(): Promise<Parties> {
  const trackingNo = await api.createPendingRecord()
  const { rows } = await sql<Parties>`
    select r.tracking_no, c.uniqid_hmac, c.profile, r.partner_id
      from authorization_record r join citizen c on c.id = r.citizen_id
     where r.tracking_no = ${trackingNo}`.execute(service.db)
  return rows[0]!
}

async function pathOf({ tracking_no }: Parties) {
  const { rows } = await sql<{ state: string; path: string[] }>`
    select r.state, array(
             select replace(a.kind, 'authorization.', '') from audit_event a
              where a.tracking_no = r.tracking_no and a.request_id in ('interleaved', 'expiry')
              order by a.id) as path
      from authorization_record r where r.tracking_no = ${tracking_no}`.execute(service.db)
  return rows[0]!
}

const pairs = transitions.flatMap((first) => transitions.map((second) => ({ first, second })))

describe.each(pairs)('$first and $second', ({ first, second }) => {
  test.each(gatesAt('partner', 'authorization_record'))('$name', async (gate) => {
    const parties = await createParties()
    const involvesExpiry = [first, second].includes('expired')
    await interleave(
      service.db,
      gate,
      (tx) => run[first](tx, parties),
      (tx) => run[second](tx, parties),
    )
    // The expiry skips a record that is locked, here or by the service's own expiry. A later one stores the state.
    if (involvesExpiry)
      while ((await pathOf(parties)).state === 'PENDING') await expirePending(service.db, 100)
    const { state, path } = await pathOf(parties)
    const inAnyOrder = [inTurn(first, second), inTurn(second, first)]
    const allowed: Record<string, Transition[][]> = {
      // A revocation that waited for an acceptance has read the record before: it revokes nothing.
      'the first commits': second === 'revoked' ? inAnyOrder : [inTurn(first, second)],
      'the first rolls back': [involvesExpiry ? inTurn('expired') : inTurn(second)],
    }
    expect(allowed[gate.name] ?? inAnyOrder).toContainEqual(path)
    expect(state).toBe((path.at(-1) ?? 'pending').toUpperCase())
  })
})
