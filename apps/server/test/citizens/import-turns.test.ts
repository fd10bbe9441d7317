import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { importCitizens } from '../../src/citizens/import-citizens/import-citizens.ts'
import type { Call, Service } from '../../src/operation.ts'

test('other requests get their turn while an import reads lines that it refuses', async () => {
  let isOver = false
  let turns = 0
  const others = (async () => {
    for (; !isOver; turns++) await turn()
  })()
  const call = { caller: { subject: 'a' }, body: '{}\n'.repeat(20_000), requestId: 'r' }
  const service = { config: { environment: 'sandbox' } } as Service
  const { body } = (await importCitizens(service, call as Call<'importCitizens'>)) as {
    body: { rejected: number }
  }
  isOver = true
  await others
  expect(body.rejected).toBe(20_000)
  expect(turns).toBeGreaterThan(3)
})
