import { describe, expect, test } from 'vitest'
import { findFaults } from '../kit/audit-verifier.ts'
import { exportCheckpoints, exportEvents, startAuditedService } from '../kit/audit.ts'
import { refusal } from '../kit/test-service.ts'

const service = await startAuditedService()

describe('listCheckpoints', () => {
  test('200: the export can be verified with the public keys only', async () => {
    const checkpoints = (await exportCheckpoints(service.operator)).toReversed()
    const events = await exportEvents(service.operator)
    const { keys, latest_checkpoint } = (await service.operator('listAuditKeys', {})).body
    expect(findFaults(events, checkpoints, keys)).toEqual([])
    expect([
      checkpoints.length >= 3,
      checkpoints.at(-1)!.checkpoint,
      checkpoints.at(-1)!.last_position,
    ]).toEqual([true, latest_checkpoint, events.length])
    const [first, ...rest] = events
    const edited = {
      ...first!,
      seal: { ...first!.seal!, leaf: first!.seal!.leaf.replace('"actor":', '"Actor":') },
    }
    expect(findFaults([edited, ...rest], checkpoints, keys)).toEqual([
      `${latest_checkpoint} has another root`,
    ])
    expect(findFaults(rest, checkpoints, keys)).toHaveLength(2)
  })

  test('200: pages without gaps; 422: an invented cursor', async () => {
    const whole = await exportCheckpoints(service.operator)
    const { body } = await service.operator('listCheckpoints', { query: { limit: 1 } })
    const second = (
      await service.operator('listCheckpoints', { query: { limit: 1, cursor: body.next_cursor! } })
    ).body
    expect([...body.checkpoints, ...second.checkpoints]).toEqual(whole.slice(0, 2))
    const last = whole.at(-1)!.checkpoint + 1
    expect(
      (await service.operator('listCheckpoints', { query: { limit: 1, cursor: String(last) } })).body
        .next_cursor,
    ).toBeNull()
    const created = refusal(service.operator('listCheckpoints', { query: { cursor: 'made-up' } }))
    expect(Object.keys((await created).fields)).toEqual(['cursor'])
  })
})
