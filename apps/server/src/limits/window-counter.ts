// Counts events per key in fixed windows of time, in this process. Keys are chosen by strangers, so the memory does
// not depend on them: a key has one place in each of two tables, and its count is the lower one of the two
// (count-min sketch with conservative update).
//
// Guarantees: a count is never too low. It is too high only if other keys share both places, which no stranger
// can choose, since the places depend on a random salt. A flood of new keys adds about its number divided by
// 65,536 to the counts of all, and takes no count from an earlier key.
import { hash, randomUUID } from 'node:crypto'

const PLACES = 2 ** 16

export function createWindowCounter(windowMs: number) {
  const tables = [new Uint32Array(PLACES), new Uint32Array(PLACES)] as const
  const salt = randomUUID()
  let endsAtMs = 0
  return {
    /** Counts an event, or several; returns how many events of its key the current window has. */
    count(key: string, events = 1): number {
      const nowMs = performance.now()
      if (nowMs >= endsAtMs) {
        for (const table of tables) table.fill(0)
        endsAtMs = nowMs + windowMs
      }
      const digest = hash('sha256', salt + key, 'buffer')
      const places = tables.map((table, index) => ({ table, place: digest.readUInt16LE(2 * index) }))
      const count = Math.min(...places.map(({ table, place }) => table[place]!)) + events
      for (const { table, place } of places) table[place] = Math.max(table[place]!, count)
      return count
    },
    /** Until the window ends. */
    msLeft: () => Math.max(0, endsAtMs - performance.now()),
  }
}
