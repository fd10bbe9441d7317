// A range of more checkpoints than a page has: no service of a test seals so many.
import { expect, test } from 'vitest'
import { fetchRange } from '../src/audit-range.ts'

type Query = { cursor?: string; limit: number; checkpoint?: number }

/** A service that has sealed all these checkpoints, each with one event. */
const call = async (id: string, { query }: { query?: Query }) => {
  if (id === 'listAuditKeys') return { body: { keys: [] } }
  if (id === 'listAuditEvents') return { body: { events: [{ id: query!.checkpoint }], next_cursor: null } }
  const newest = Number(query!.cursor) - 1
  const checkpoints = Array.from({ length: query!.limit }, (_, index) => ({
    checkpoint: newest - index,
    signature: `of ${newest - index}`,
  }))
  return { body: { checkpoints } }
}

test('a range of several pages has each checkpoint and its events once, the newest first', async () => {
  const [first, last] = [7, 2_506]
  const expected = Array.from({ length: last - first + 1 }, (_, index) => last - index)
  const [checkpoints, events, ends]: [unknown[], unknown[], unknown[]] = [[], [], []]
  for await (const entry of fetchRange(call as never, { first, last })) {
    if ('checkpoint' in entry) checkpoints.push(entry.checkpoint.checkpoint)
    if ('event' in entry) events.push(entry.event.id)
    if ('end' in entry) ends.push(entry.end)
  }
  expect(checkpoints).toEqual(expected)
  expect(events).toEqual(expected)
  expect(ends).toEqual([{ checkpoint: last, signature: `of ${last}` }])
})
