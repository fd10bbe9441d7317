const SECOND_MS = 1_000

/** `take` returns false if the bytes exceed what is left of this second. */
export type ByteBudget = { take(bytes: number): boolean }

/** Limits the bytes per second of all responses to clients without credentials together. */
export function createByteBudget(
  bytesPerSecond: number,
  now: () => number = () => performance.now(),
): ByteBudget {
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
