import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSightings } from '../../src/operators/sightings.ts'
import { fakeDatabase } from '../kit/fake-database.ts'

test('an administrator is written once in an hour, or again after a failure or with other scopes', async () => {
  const written: unknown[] = []
  let isLost = true
  const db = fakeDatabase(async ({ parameters }) => {
    if (isLost) throw new Error('no database')
    written.push(parameters.at(-1))
    return []
  })
  const log = pino({ level: 'silent' })
  const warn = vi.spyOn(log, 'warn')
  const see = createSightings({ db, log })
  const seeWith = async (scope: string) => {
    see({ subject: 'admin', session: null, scopes: [scope], expiresAt: new Date(), onlyPartner: null })
    // A statement of this database has ended by then.
    await new Promise(setImmediate)
  }
  await seeWith('keys:read')
  expect([warn.mock.calls.length, written]).toEqual([1, []])
  isLost = false
  for (const scope of ['keys:read', 'keys:read', 'audit:read', 'audit:read']) await seeWith(scope)
  expect(written).toEqual(['keys:read', 'audit:read'])
  const nowMs = performance.now()
  const now = vi.spyOn(performance, 'now')
  onTestFinished(() => now.mockRestore())
  for (const laterMs of [3_590_000, 3_610_000]) {
    now.mockReturnValue(nowMs + laterMs)
    await seeWith('audit:read')
  }
  expect(written).toEqual(['keys:read', 'audit:read', 'audit:read'])
})

test('a visitor of a sandbox is not written', async () => {
  const written: unknown[] = []
  const db = fakeDatabase(async ({ parameters }) => (written.push(parameters[0]), []))
  const see = createSightings({ db, log: pino({ level: 'silent' }) })
  const caller = { session: null, scopes: ['partners:read'], expiresAt: new Date() }
  see({ ...caller, subject: 'sandbox HOTEL_7', onlyPartner: 'HOTEL_7' })
  see({ ...caller, subject: 'admin', onlyPartner: null })
  await expect.poll(() => written).toEqual(['admin'])
})
