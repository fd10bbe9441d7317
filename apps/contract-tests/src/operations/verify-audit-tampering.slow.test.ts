// Each tampering alone. stress/audit-tampering.test.ts tries them in a large audit.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { fillAudit, pickTarget, findFaultAfter, allowTampering } from '../kit/audit-tampering.ts'
import { leafHash } from '../kit/audit-verifier.ts'
import { exportEvents, untilSealed, verifyAll } from '../kit/audit.ts'
import { TAMPERINGS } from '../kit/event-tamperings.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const WRITERS = 4
/** The rows are written in several parts, so that there are several checkpoints. */
const PARTS = 5
const ROWS = 50

const service = await startServiceForFile({})
let written = 0
for (let part = 0; part < PARTS; part++) {
  written += await fillAudit(service, WRITERS, ROWS)
  await untilSealed(service.operator)
}
await allowTampering(service)

describe('verifyAudit', () => {
  test('200: every row of concurrent writers is sealed once, and the audit has no fault', async () => {
    expect(await verifyAll(service.operator)).toEqual({
      checkpoints: expect.any(Number),
      rows: written,
      fault: null,
    })
    expect(written).toBe(WRITERS * PARTS * ROWS)
  })

  test.each(TAMPERINGS)('200: the check finds the fault and its place: $how', async (tampering) => {
    const target = await pickTarget(service)
    const { a } = target
    const fault = await findFaultAfter(service, tampering, target, 1)
    expect({ target, fault }).toMatchObject({ target, fault: tampering.found(target) })
    // Restored, the audit has no fault from this checkpoint on.
    expect(await verifyAll(service.operator, a.checkpoint)).toMatchObject({ fault: null })
  })

  test('200: after the rows are restored, the audit has no fault', async () => {
    expect(await verifyAll(service.operator)).toMatchObject({ rows: written, fault: null })
  })

  test('200: an event edited together with its leaf does not match the root', async () => {
    const { a } = await pickTarget(service)
    await sql`update audit_event set actor = 'another actor' where id = ${a.event_id}`.execute(service.db)
    const { leaf } = (await exportEvents(service.operator)).find(({ id }) => id === a.event_id)!.seal!
    const altered = leafHash(leaf).toString('base64url')
    await sql`update audit_leaf set hash = ${altered} where event_id = ${a.event_id}`.execute(service.db)
    expect((await verifyAll(service.operator)).fault).toEqual({
      checkpoint: a.checkpoint,
      position: null,
      event: null,
      what: 'root_altered',
    })
    await sql`delete from audit_event where id = ${a.event_id}`.execute(service.db)
    await sql`
      insert into audit_event overriding system value
      select * from kept_audit_event where id = ${a.event_id}`.execute(service.db)
    await sql`
      update audit_leaf l set hash = k.hash from kept_audit_leaf k
       where k.event_id = l.event_id and l.event_id = ${a.event_id}`.execute(service.db)
    expect((await verifyAll(service.operator)).fault).toBeNull()
  })

  test('200: an event with a forged earlier time is sealed, and reported as misdated', async () => {
    await service.advance(4 * 3600)
    await fillAudit(service, 1, 1)
    await untilSealed(service.operator)
    expect((await verifyAll(service.operator)).fault).toBeNull()
    const { rows } = await sql<{ id: number }>`
      insert into audit_event (kind, request_id, occurred_at)
      values ('profile.viewed', 'req_forged', clock_now() - interval '3 hours') returning id`.execute(
      service.db,
    )
    await untilSealed(service.operator)
    expect((await verifyAll(service.operator)).fault).toMatchObject({
      event: rows[0]!.id,
      what: 'event_misdated',
    })
  })
})
