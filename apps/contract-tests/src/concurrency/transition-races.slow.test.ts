// The short form of stress/transition-races.test.ts.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startServiceForFile, type TestService } from '../kit/test-service.ts'
import {
  type EndRecord,
  type End,
  checkConsistency,
  createParticipants,
  raceAndCheck,
  runRounds,
} from '../kit/transition-races.ts'

const ROUNDS = 15

const service = await startServiceForFile({})

test(`200, 409: accept, decline, cancel, revoke and expiry take one path: ${ROUNDS} rounds`, async () => {
  const { faults, paths } = await raceAndCheck(service, ROUNDS)
  expect(faults).toEqual([])
  // The requests raced: different ones won.
  expect(Object.keys(paths).length).toBeGreaterThanOrEqual(3)
})

test('control: the consistency check finds several decisions after a read before the write', async () => {
  const participants = { ...(await createParticipants(service)), endRecord: naively(service) }
  const { faults } = await checkConsistency(service, await runRounds(service, participants, 12))
  expect(faults.length).toBeGreaterThan(3)
})

/** Fault injection: reads the state and writes it in a later statement, which the store must not do. */
function naively({ db }: TestService): EndRecord {
  const FROM: Record<End, string> = {
    ACCEPTED: 'PENDING',
    DECLINED: 'PENDING',
    CANCELLED: 'PENDING',
    REVOKED: 'ACCEPTED',
  }
  return async (trackingNo, target) => {
    const { rows } = await sql<{ id: number; state: string }>`
      select id, case when expires_at <= clock_now() then 'EXPIRED' else state end as state
        from authorization_record where tracking_no = ${trackingNo}`.execute(db)
    const { id, state } = rows[0]!
    if (state !== FROM[target]) return false
    await sql`
      update authorization_record set state = ${target}, ended_at = clock_now() where id = ${id}`.execute(db)
    const type = `authorization.${target.toLowerCase()}`
    await sql`insert into audit_event (kind, partner_id, citizen_id, tracking_no, request_id)
      select ${type}, partner_id, citizen_id, tracking_no, 'naive'
        from authorization_record where id = ${id}`.execute(db)
    await sql`insert into callback_event (partner_id, type, data)
      select partner_id, ${type}, json_build_object('tracking_no', tracking_no)
        from authorization_record where id = ${id}`.execute(db)
    return true
  }
}
