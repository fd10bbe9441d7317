import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answered, exportCheckpoints, exportEvents, untilSealed, verifyAll } from '../harness/audit.ts'
import { faultsOf, isSigned } from '../harness/outsider.ts'
import { refusal, startWorld, type World } from '../harness/world.ts'

/** Of its own: the whole audit is exported. */
let world: World
beforeAll(async () => {
  world = await startWorld({})
  for (let index = 0; index < 3; index++) {
    const [partner, citizen] = [await world.partner(), await world.citizen()]
    await partner.profiles.profileByQr(await citizen.showQr('share'))
    await untilSealed(world.operator)
  }
  // So many that the sealer goes through them in several pages.
  await sql`insert into audit_event (kind, request_id) select 'profile.viewed', 'req_' || n from generate_series(1, 600) n`.execute(
    world.db,
  )
  await untilSealed(world.operator)
})
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

describe('readCheckpoint', () => {
  test('200: one of them', async () => {
    const [newest] = await exportCheckpoints(world.operator)
    const { body } = await world.operator('readCheckpoint', { path: { checkpoint: newest!.checkpoint } })
    expect(body).toEqual(newest)
  })

  test('404: none has this number; 422 for none at all', async () => {
    expect((await refusal(world.operator('readCheckpoint', { path: { checkpoint: 1_000_000 } }))).code).toBe('not_found')
    expect((await refusal(world.operator('readCheckpoint', { path: { checkpoint: 0 } }))).fields).toHaveProperty('checkpoint')
  })
})

describe('listAuditKeys', () => {
  test('200: public halves alone, of which one has signed', async () => {
    const { keys } = (await world.operator('listAuditKeys', {})).body
    const [newest] = await exportCheckpoints(world.operator)
    expect(keys.filter((key) => isSigned(newest!, key))).toHaveLength(1)
    expect(JSON.stringify(keys)).not.toContain('"d"')
  })
})

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
