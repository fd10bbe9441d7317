import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportCheckpoints, exportEvents, startAuditedWorld } from '../harness/audit.ts'
import { faultsOf } from '../harness/outsider.ts'
import { refusal, type World } from '../harness/world.ts'

let world: World
beforeAll(async () => void (world = await startAuditedWorld()))
afterAll(() => world.close())

describe('listCheckpoints', () => {
  test('200: whoever has the export and the public keys can check all of it without us', async () => {
    const checkpoints = (await exportCheckpoints(world.operator)).toReversed()
    const events = await exportEvents(world.operator)
    const { keys, latest_checkpoint } = (await world.operator('listAuditKeys', {})).body
    expect(faultsOf(events, checkpoints, keys)).toEqual([])
    expect([checkpoints.length >= 3, checkpoints.at(-1)!.checkpoint, checkpoints.at(-1)!.last_position]).toEqual([
      true,
      latest_checkpoint,
      events.length,
    ])
    const [first, ...rest] = events
    const edited = { ...first!, seal: { ...first!.seal!, leaf: first!.seal!.leaf.replace('"actor":', '"Actor":') } }
    expect(faultsOf([edited, ...rest], checkpoints, keys)).toEqual([`${latest_checkpoint} has another root`])
    expect(faultsOf(rest, checkpoints, keys)).toHaveLength(2)
  })

  test('200: page by page; 422 for a made-up cursor', async () => {
    const whole = await exportCheckpoints(world.operator)
    const { body } = await world.operator('listCheckpoints', { query: { limit: 1 } })
    const second = (await world.operator('listCheckpoints', { query: { limit: 1, cursor: body.next_cursor! } })).body
    expect([...body.checkpoints, ...second.checkpoints]).toEqual(whole.slice(0, 2))
    const last = whole.at(-1)!.checkpoint + 1
    expect((await world.operator('listCheckpoints', { query: { limit: 1, cursor: String(last) } })).body.next_cursor).toBeNull()
    const made = refusal(world.operator('listCheckpoints', { query: { cursor: 'made-up' } }))
    expect(Object.keys((await made).fields)).toEqual(['cursor'])
  })
})
