import { describe, expect, test } from 'vitest'
import { untilSealed } from '../kit/audit.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()
// Writes the first audit row, so that there is a checkpoint.
await service.citizen()

describe.each([
  'listAuditEvents',
  'listCheckpoints',
  'readCheckpoint',
  'listAuditKeys',
  'verifyAudit',
] as const)('%s', (id) => {
  test('403: an operator without the scope; 401: the token of a citizen', async () => {
    const path = { checkpoint: '1' }
    const bearing = (token: string) => ({ Authorization: `Bearer ${token}` })
    for (const scope of ['', 'partners:write disputes:read', 'audit:readall']) {
      const headers = bearing(await service.tokens.operator(scope))
      expect((await service.send(id, { headers, path })).status).toBe(403)
    }
    expect(
      (await service.send(id, { headers: bearing(await service.tokens.citizen('any citizen')), path }))
        .status,
    ).toBe(401)
    await untilSealed(service.operator)
    expect(
      (await service.send(id, { headers: bearing(await service.tokens.operator('audit:read')), path }))
        .status,
    ).toBe(200)
  })
})
