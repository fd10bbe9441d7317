// A change by another process sends no notification here. It takes effect when the cache entry of the partner
// expires.
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import {
  CACHE_TTL_MS as ENTRY_TTL_MS,
  createPartnerCache,
  MAX_ENTRIES,
} from '../../src/partners/partner-cache.ts'
import { startService } from '../../src/testing/start-service.ts'
import { createApiClient } from '../kit/api-client.ts'

/** The lifetime of a cache entry: a revocation or suspension takes effect within one second. */
const CACHE_TTL_MS = 1_000

test.each([
  { change: sql`update credential set revoked_at = clock_now()`, status: 401, what: 'a revoked secret' },
  { change: sql`update partner set status = 'SUSPENDED'`, status: 403, what: 'a suspended partner' },
])(
  '$status: $what, within a second, while the partner sends requests without a pause',
  async ({ change, status }) => {
    const { url, db, close } = await startService(inject('postgres'))
    const { inquire } = await createApiClient(url)
    const call = async () => (await inquire('unknown')).status
    while ((await sql`select from credential where last_used_on is not null`.execute(db)).rows.length === 0)
      expect(await call()).toBe(404)
    for (const before of [await call(), await call()]) expect(before).toBe(404)
    await change.execute(db)
    const changedAtMs = performance.now()
    while (performance.now() - changedAtMs < CACHE_TTL_MS) expect([404, status]).toContain(await call())
    // Every later request is refused.
    expect(await call()).toBe(status)
    await close()
  },
)

test('an entry is current for 250 ms from its query, or until the next change', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  vi.advanceTimersByTime(1_000)
  const cache = createPartnerCache<string>()
  cache.set('A', 'entry', performance.now())
  vi.advanceTimersByTime(ENTRY_TTL_MS - 1)
  expect(cache.get('A')).toEqual({ entry: 'entry', isCurrent: true })
  vi.advanceTimersByTime(1)
  expect(cache.get('A')).toEqual({ entry: 'entry', isCurrent: false })
  cache.set('A', 'new entry', performance.now())
  cache.invalidate()
  expect(cache.get('A')).toEqual({ entry: 'new entry', isCurrent: false })
  expect(cache.get('B')).toBeUndefined()
})

test('the cache keeps the newest 10,000 partners', () => {
  const cache = createPartnerCache<number>()
  for (let partner = 0; partner < MAX_ENTRIES; partner++) cache.set(`${partner}`, partner, 0)
  cache.set('1', 1, 0)
  expect(cache.get('0')).toBeDefined()
  cache.set('new', -1, 0)
  expect(['0', '1', 'new'].map((code) => cache.get(code)?.entry)).toEqual([undefined, 1, -1])
})
