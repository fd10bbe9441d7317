import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answered, exportCheckpoints, exportEvents, startAuditedWorld, verifyAll } from '../harness/audit.ts'
import type { World } from '../harness/world.ts'

let world: World
beforeAll(async () => void (world = await startAuditedWorld()))
afterAll(() => world.close())

describe('verifyAudit', () => {
  test('200: nothing is wrong; a part at a time gives the same as the whole', async () => {
    const { checkpoints, rows, fault } = await verifyAll(world.operator)
    expect([fault, rows]).toEqual([null, (await exportEvents(world.operator)).length])
    const parts: number[] = []
    for (let next: number | null = 1; next !== null;) {
      const { body }: Answered<'verifyAudit'> = await world.operator('verifyAudit', { query: { from_checkpoint: next, limit: 1 } })
      parts.push(body.checked_rows)
      next = body.next_checkpoint
    }
    expect([parts.length, parts.reduce((sum, part) => sum + part, 0)]).toEqual([checkpoints, rows])
  })

  test('200: past the end there is nothing to check', async () => {
    const { checked_checkpoints, next_checkpoint, first_fault } = (
      await world.operator('verifyAudit', { query: { from_checkpoint: (await exportCheckpoints(world.operator)).length + 1 } })
    ).body
    expect([checked_checkpoints, next_checkpoint, first_fault]).toEqual([0, null, null])
  })
})

test.each(['audit_event', 'audit_checkpoint', 'audit_leaf'])('%s can only be added to', async (table) => {
  for (const change of [
    `update ${table} set ${table === 'audit_event' ? 'kind = kind' : 'checkpoint = 1'}`,
    `delete from ${table}`,
    `truncate ${table}`,
  ])
    await expect(
      sql.raw(change.replace('audit_checkpoint set checkpoint', 'audit_checkpoint set number')).execute(world.db),
    ).rejects.toThrow(`${table} is insert-only`)
})
