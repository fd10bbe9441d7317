const SHARED = 'others'

/**
 * Counts events per key in fixed windows of time, in this process. `maxKeys` limits the memory: when so many
 * keys are counted, further keys share one count until the window ends.
 */
export function createWindowCounter(windowMs: number, maxKeys: number) {
  const counts = new Map<string, number>()
  let endsAtMs = 0
  return {
    /** Counts an event; returns how many events of its key the current window has. */
    count(key: string): number {
      const nowMs = performance.now()
      if (nowMs >= endsAtMs) {
        counts.clear()
        endsAtMs = nowMs + windowMs
      }
      const countedKey = counts.has(key) || counts.size < maxKeys ? key : SHARED
      const count = (counts.get(countedKey) ?? 0) + 1
      counts.set(countedKey, count)
      return count
    },
    /** Until the window ends. */
    msLeft: () => Math.max(0, endsAtMs - performance.now()),
  }
}
