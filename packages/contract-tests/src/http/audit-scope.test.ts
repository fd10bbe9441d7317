import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { untilSealed } from '../harness/audit.ts'
import { startWorld, type World } from '../harness/world.ts'

let world: World
beforeAll(async () => void (world = await startWorld()))
afterAll(() => world.close())

describe.each(['listAuditEvents', 'listCheckpoints', 'readCheckpoint', 'listAuditKeys', 'verifyAudit'] as const)('%s', (id) => {
  test("403: an administrator without the scope; 401 for a citizen's token", async () => {
    const path = { checkpoint: '1' }
    const bearing = (token: string) => ({ Authorization: `Bearer ${token}` })
    for (const scope of ['', 'partners:write disputes:read', 'audit:readall']) {
      const headers = bearing(await world.tokens.operator(scope))
      expect((await world.send(id, { headers, path })).status).toBe(403)
    }
    expect((await world.send(id, { headers: bearing(await world.tokens.citizen('anybody')), path })).status).toBe(401)
    await untilSealed(world.operator)
    expect((await world.send(id, { headers: bearing(await world.tokens.operator('audit:read')), path })).status).toBe(200)
  })
})
