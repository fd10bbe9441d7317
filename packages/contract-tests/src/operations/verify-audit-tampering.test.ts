// SECURITY section 3: each tampering by itself; stress/audit-tampering.test.ts tries them in a large audit.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportEvents, untilSealed, verifyAll } from '../harness/audit.ts'
import { leafHash } from '../harness/outsider.ts'
import { fill, pickTarget, suffer, unlock } from '../harness/tampering.ts'
import { TAMPERINGS } from '../harness/tamperings.ts'
import { startWorld, type World } from '../harness/world.ts'

const WRITERS = 4
/** In several parts, so that there are several checkpoints. */
const PARTS = 5
const ROWS = 50

let world: World
let written = 0
beforeAll(async () => {
  world = await startWorld({})
  for (let part = 0; part < PARTS; part++) {
    written += await fill(world, WRITERS, ROWS)
    await untilSealed(world.operator)
  }
  await unlock(world)
})
afterAll(() => world.close())

describe('verifyAudit', () => {
  test('200: every row of writers at once is sealed once, and nothing is wrong', async () => {
    expect(await verifyAll(world.operator)).toEqual({ checkpoints: expect.any(Number), rows: written, fault: null })
    expect(written).toBe(WRITERS * PARTS * ROWS)
  })

  test.each(TAMPERINGS)('200: $how: found, and placed', async (tampering) => {
    const target = await pickTarget(world)
    const { a } = target
    const fault = await suffer(world, tampering, target, 1)
    expect({ target, fault }).toMatchObject({ target, fault: tampering.found(target) })
    // From where it stands, too; and it is not found where it is not.
    expect(await verifyAll(world.operator, a.checkpoint)).toMatchObject({ fault: null })
  })

  test('200: set right again, there is no fault', async () => {
    expect(await verifyAll(world.operator)).toMatchObject({ rows: written, fault: null })
  })

  test('200: an event edited together with its leaf does not lead to the root', async () => {
    const { a } = await pickTarget(world)
    await sql`update audit_event set actor = 'somebody else' where id = ${a.event_id}`.execute(world.db)
    const { leaf } = (await exportEvents(world.operator)).find(({ id }) => id === a.event_id)!.seal!
    await sql`update audit_leaf set hash = ${leafHash(leaf).toString('base64url')} where event_id = ${a.event_id}`.execute(world.db)
    expect((await verifyAll(world.operator)).fault).toEqual({ checkpoint: a.checkpoint, position: null, event: null, what: 'root_altered' })
    await sql`delete from audit_event where id = ${a.event_id}`.execute(world.db)
    await sql`insert into audit_event overriding system value select * from kept_audit_event where id = ${a.event_id}`.execute(world.db)
    await sql`update audit_leaf l set hash = k.hash from kept_audit_leaf k where k.event_id = l.event_id and l.event_id = ${a.event_id}`.execute(
      world.db,
    )
    expect((await verifyAll(world.operator)).fault).toBeNull()
  })

  test('200: an event that pretends to be hours old is sealed as what it is, and found', async () => {
    await world.advance(4 * 3600)
    await fill(world, 1, 1)
    await untilSealed(world.operator)
    expect((await verifyAll(world.operator)).fault).toBeNull()
    const { rows } = await sql<{ id: number }>`
      insert into audit_event (kind, request_id, occurred_at) values ('profile.viewed', 'req_forged', clock_now() - interval '3 hours') returning id`.execute(
      world.db,
    )
    await untilSealed(world.operator)
    expect((await verifyAll(world.operator)).fault).toMatchObject({ event: rows[0]!.id, what: 'event_misdated' })
  })
})
