import { withLock } from '@tiwala/ui/with-lock'
import { sharedStorage } from '../state/storage.ts'

/** A little longer than the service requires between two inquiries about a pending record. */
const PAUSE_MS = 2_100

const keyOf = (trackingNo: string) => `tiwala-inquired-${trackingNo}`

/**
 * Runs an inquiry about a pending record when the last one, in any tab, is over and long enough ago.
 * Otherwise the service would answer `slow_down`. Without locks two tabs may get it, and try again.
 */
export function takeTurn<T>(trackingNo: string, signal: AbortSignal, inquire: () => Promise<T>): Promise<T> {
  const key = keyOf(trackingNo)
  const noteTime = () => sharedStorage.set(key, String(Date.now()))
  return withLock(key, async () => {
    // An inquiry that is not wanted any more must not hold up the next one.
    signal.throwIfAborted()
    const waitMs = Number(sharedStorage.get(key) ?? 0) + PAUSE_MS - Date.now()
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, PAUSE_MS)))
    try {
      noteTime()
      return await inquire()
    } finally {
      noteTime()
    }
  })
}

/** The record has ended: nothing must wait any more. */
export const endTurns = (trackingNo: string) => sharedStorage.remove(keyOf(trackingNo))
