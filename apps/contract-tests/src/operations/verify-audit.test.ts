import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import {
  type OperationResponse,
  exportCheckpoints,
  exportEvents,
  startAuditedService,
  verifyAll,
} from '../kit/audit.ts'

const service = await startAuditedService()

describe('verifyAudit', () => {
  test('200: the audit has no fault; a check in parts has the same result as one of the whole', async () => {
    const { checkpoints, rows, fault } = await verifyAll(service.operator)
    expect([fault, rows]).toEqual([null, (await exportEvents(service.operator)).length])
    const parts: number[] = []
    for (let next: number | null = 1; next !== null;) {
      const { body }: OperationResponse<'verifyAudit'> = await service.operator('verifyAudit', {
        query: { from_checkpoint: next, limit: 1 },
      })
      parts.push(body.checked_rows)
      next = body.next_checkpoint
    }
    expect([parts.length, parts.reduce((sum, part) => sum + part, 0)]).toEqual([checkpoints, rows])
  })

  test('200: after the last checkpoint there is nothing to check', async () => {
    const { checked_checkpoints, next_checkpoint, first_fault } = (
      await service.operator('verifyAudit', {
        query: { from_checkpoint: (await exportCheckpoints(service.operator)).length + 1 },
      })
    ).body
    expect([checked_checkpoints, next_checkpoint, first_fault]).toEqual([0, null, null])
  })
})

test.each(['audit_event', 'audit_checkpoint', 'audit_leaf'])(
  'rows of %s can only be inserted',
  async (table) => {
    for (const change of [
      `update ${table} set ${table === 'audit_event' ? 'kind = kind' : 'checkpoint = 1'}`,
      `delete from ${table}`,
      `truncate ${table}`,
    ])
      await expect(
        sql
          .raw(change.replace('audit_checkpoint set checkpoint', 'audit_checkpoint set number'))
          .execute(service.db),
      ).rejects.toThrow(`${table} is insert-only`)
  },
)
