const SECOND_MS = 1_000

/** How many bytes may be taken in a second. */
export type ByteBudget = { take(bytes: number): boolean }

/** Bounds what the answers to callers without credentials cost together, however large each is. */
export function createByteBudget(bytesPerSecond: number, now: () => number = () => performance.now()): ByteBudget {
  let left = bytesPerSecond
  let endsAtMs = now() + SECOND_MS
  return {
    take: (bytes) => {
      if (now() >= endsAtMs) {
        left = bytesPerSecond
        endsAtMs = now() + SECOND_MS
      }
      if (bytes > left) return false
      left -= bytes
      return true
    },
  }
}
