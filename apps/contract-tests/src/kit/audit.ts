// Reads the audit through the operations of the operator.
import type { OperationId, Schemas, Success } from '@tiwala/contract'
import { sql } from 'kysely'
import { vi } from 'vitest'
import { readPages } from './read-pages.ts'
import { type TestService, startServiceForFile } from './test-service.ts'

type Operator = TestService['operator']
/** An explicit type, for loops in which each request depends on the page before. */
export type OperationResponse<Id extends OperationId> = { body: Success<Id> }

/** Waits until all earlier events are sealed: about a second. */
export const untilSealed = (operator: Operator): Promise<boolean> =>
  vi.waitUntil(
    async () => (await operator('verifyAudit', { query: { limit: 1 } })).body.unsealed_rows === 0,
    {
      timeout: 60_000,
      interval: 50,
    },
  )

/** Verifies the audit up to its end or to the first fault. */
export async function verifyAll(
  operator: Operator,
  from = 1,
): Promise<{ checkpoints: number; rows: number; fault: Schemas['AuditFault'] | null }> {
  const sum = { checkpoints: 0, rows: 0 }
  for (let next: number | null = from; next !== null;) {
    const { body }: OperationResponse<'verifyAudit'> = await operator('verifyAudit', {
      query: { from_checkpoint: next },
    })
    sum.checkpoints += body.checked_checkpoints
    sum.rows += body.checked_rows
    if (body.first_fault) return { ...sum, fault: body.first_fault }
    next = body.next_checkpoint
  }
  return { ...sum, fault: null }
}

const PAGE_SIZE = 200

async function rowsOf<Page, Row>(pages: AsyncIterable<Page>, pick: (page: Page) => Row[]): Promise<Row[]> {
  const rows: Row[] = []
  for await (const page of pages) rows.push(...pick(page))
  return rows
}

/** Every page of the audit, newest first. */
export const exportEvents = (operator: Operator): Promise<Schemas['AuditEvent'][]> =>
  rowsOf(
    readPages(
      async (after) => (await operator('listAuditEvents', { query: { limit: PAGE_SIZE, ...after } })).body,
    ),
    ({ events }) => events,
  )

export const exportCheckpoints = (operator: Operator): Promise<Schemas['AuditCheckpoint'][]> =>
  rowsOf(
    readPages(
      async (after) => (await operator('listCheckpoints', { query: { limit: PAGE_SIZE, ...after } })).body,
    ),
    ({ checkpoints }) => checkpoints,
  )

/**
 * A separate test service, so that its whole audit can be exported. It has at least four checkpoints, and
 * more events than one page of the sealer.
 */
export async function startAuditedService(): Promise<TestService> {
  const service = await startServiceForFile({})
  for (let index = 0; index < 3; index++) {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    await partner.profiles.profileByQr(await citizen.showQr('share'))
    await untilSealed(service.operator)
  }
  await sql`
    insert into audit_event (kind, request_id)
    select 'profile.viewed', 'req_' || n from generate_series(1, 600) n`.execute(service.db)
  await untilSealed(service.operator)
  return service
}
