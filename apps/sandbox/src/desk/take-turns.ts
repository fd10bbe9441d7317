/** A little longer than the service requires between two inquiries about a pending record. */
const PAUSE_MS = 2_100

const keyOf = (trackingNo: string) => `tiwala-inquired-${trackingNo}`

/**
 * Runs an inquiry about a pending record when the last one, in any tab, is over and long enough ago.
 * Otherwise the service would answer `slow_down`.
 */
export async function takeTurn<T>(trackingNo: string, inquire: () => Promise<T>): Promise<T> {
  const key = keyOf(trackingNo)
  const turn = async () => {
    const waitMs = Number(localStorage.getItem(key) ?? 0) + PAUSE_MS - Date.now()
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, PAUSE_MS)))
    try {
      localStorage.setItem(key, String(Date.now()))
      return await inquire()
    } finally {
      localStorage.setItem(key, String(Date.now()))
    }
  }
  // Browsers have locks on secure origins only. Elsewhere two tabs may get `slow_down`, and try again.
  return 'locks' in navigator ? navigator.locks.request(key, turn) : turn()
}

/** The record has ended: nothing must wait any more. */
export const endTurns = (trackingNo: string) => localStorage.removeItem(keyOf(trackingNo))
