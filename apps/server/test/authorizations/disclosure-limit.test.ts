import { expect, onTestFinished, test, vi } from 'vitest'
import { forgetDisclosures, limitDisclosures } from '../../src/authorizations/disclosure-limit.ts'

const MAX_ENTRIES = 100_000
const HALF_HOUR_MS = 1_800_000

const recordOf = (tracking_no: number, partner_id = 1) => ({ partner_id, tracking_no: String(tracking_no) })
const read = (tracking_no: number, partner_id = 1): Promise<string> =>
  limitDisclosures(
    recordOf(tracking_no, partner_id),
    1,
    async () => 'read',
    () => true,
  ).catch(() => 'refused')

test('parallel reads are refused for a second while they could exceed the limit, and count only if they disclose', async () => {
  let end = () => {}
  const pending = new Promise<string>((resolve) => (end = () => resolve('pending')))
  const nothing = limitDisclosures(
    recordOf(0),
    1,
    () => pending,
    () => false,
  )
  const refused = limitDisclosures(
    recordOf(0),
    1,
    async () => 'read',
    () => true,
  )
  await expect(refused).rejects.toMatchObject({ code: 'rate_limited', headers: { 'Retry-After': '1' } })
  end()
  expect([await nothing, await read(0), await read(0)]).toEqual(['pending', 'read', 'refused'])
})

test('a read whose statement fails counts no more', async () => {
  const failing = limitDisclosures(
    recordOf(-2),
    1,
    () => Promise.reject(new Error('The database is away.')),
    () => true,
  )
  await expect(failing).rejects.toThrow('The database is away.')
  expect(await read(-2)).toBe('read')
})

test('reads that began before a change of the record neither refuse nor count reads after it', async () => {
  let end = () => {}
  const earlier = limitDisclosures(
    recordOf(-1),
    2,
    () => new Promise<string>((resolve) => (end = () => resolve('read'))),
    () => true,
  )
  forgetDisclosures(recordOf(-1))
  // Without the change, this one would be refused: the earlier one is still running.
  expect(await read(-1)).toBe('read')
  forgetDisclosures(recordOf(-1))
  end()
  // Its end counts for no hour after the change.
  expect([await earlier, await read(-1), await read(-1)]).toEqual(['read', 'read', 'refused'])
  forgetDisclosures()
  expect(await read(-1)).toBe('read')
})

test('the hours of 100,000 records are kept; the one that began first is dropped', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
  onTestFinished(() => clock.mockRestore())
  await read(1)
  clock.mockReturnValue(HALF_HOUR_MS)
  for (let count = 2; count <= MAX_ENTRIES; count++) await read(count)
  expect([await read(1), await read(2)]).toEqual(['refused', 'refused'])
  // The next hour of the first record begins.
  clock.mockReturnValue(2 * HALF_HOUR_MS)
  expect(await read(1)).toBe('read')
  await read(MAX_ENTRIES + 1)
  expect([await read(1), await read(3), await read(2)]).toEqual(['refused', 'refused', 'read'])
  forgetDisclosures(recordOf(9))
  expect([await read(9), await read(8), await read(8, 2)]).toEqual(['read', 'refused', 'read'])
})
