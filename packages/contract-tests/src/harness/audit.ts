// The audit as the administrator sees it.
import type { OperationId, Schemas, Success } from '@tiwala/contract'
import { sql } from 'kysely'
import { vi } from 'vitest'
import { startWorld, type World } from './world.ts'

type Operator = World['operator']
/** Said outright where the next page depends on the one before. */
export type Answered<Id extends OperationId> = { body: Success<Id> }

/** Waits until all that happened before is sealed: about a second. */
export const untilSealed = (operator: Operator): Promise<boolean> =>
  vi.waitUntil(async () => (await operator('verifyAudit', { query: { limit: 1 } })).body.unsealed_rows === 0, {
    timeout: 60_000,
    interval: 50,
  })

/** Verifies to the end, or to the first fault. */
export async function verifyAll(
  operator: Operator,
  from = 1,
): Promise<{ checkpoints: number; rows: number; fault: Schemas['AuditFault'] | null }> {
  const sum = { checkpoints: 0, rows: 0 }
  for (let next: number | null = from; next !== null;) {
    const { body }: Answered<'verifyAudit'> = await operator('verifyAudit', { query: { from_checkpoint: next } })
    sum.checkpoints += body.checked_checkpoints
    sum.rows += body.checked_rows
    if (body.first_fault) return { ...sum, fault: body.first_fault }
    next = body.next_checkpoint
  }
  return { ...sum, fault: null }
}

/** Every page of the audit, newest first. */
export async function exportEvents(operator: Operator): Promise<Schemas['AuditEvent'][]> {
  const events: Schemas['AuditEvent'][] = []
  let cursor: string | null = null
  do {
    const { body }: Answered<'listAuditEvents'> = await operator('listAuditEvents', {
      query: { limit: 200, ...(cursor === null ? {} : { cursor }) },
    })
    events.push(...body.events)
    cursor = body.next_cursor
  } while (cursor)
  return events
}

export async function exportCheckpoints(operator: Operator): Promise<Schemas['AuditCheckpoint'][]> {
  const checkpoints: Schemas['AuditCheckpoint'][] = []
  let cursor: string | null = null
  do {
    const { body }: Answered<'listCheckpoints'> = await operator('listCheckpoints', {
      query: { limit: 200, ...(cursor === null ? {} : { cursor }) },
    })
    checkpoints.push(...body.checkpoints)
    cursor = body.next_cursor
  } while (cursor)
  return checkpoints
}

/** A test service of its own, so that its whole audit can be exported: at least four checkpoints, and enough events for several pages. */
export async function startAuditedWorld(): Promise<World> {
  const world = await startWorld({})
  for (let index = 0; index < 3; index++) {
    const [partner, citizen] = [await world.partner(), await world.citizen()]
    await partner.profiles.profileByQr(await citizen.showQr('share'))
    await untilSealed(world.operator)
  }
  await sql`insert into audit_event (kind, request_id) select 'profile.viewed', 'req_' || n from generate_series(1, 600) n`.execute(
    world.db,
  )
  await untilSealed(world.operator)
  return world
}
