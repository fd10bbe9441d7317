// SECURITY section 3, in short; stress/deliveries.test.ts is the long form.
import { expect, test } from 'vitest'
import { drill } from './delivery-drill.ts'
import { temporaryDatabase } from './temporary.ts'

const EVENTS = 200

test(
  'kill -9 of the delivering process, among 200 events: each arrives, and what arrives twice is the same',
  { timeout: 150_000 },
  async () => {
    await using database = await temporaryDatabase()
    const { arrivals } = await drill({ database, events: EVENTS, kills: 1, isImpatient: true })
    expect(arrivals.size).toBe(EVENTS)
    for (const [first, ...again] of arrivals.values())
      for (const { path, body } of again) expect({ path, body }).toEqual({ path: first!.path, body: first!.body })
  },
)
