/**
 * How long a tab keeps a lock after its act. What the act wrote into the storage reaches other tabs later
 * than the lock, by some milliseconds.
 */
const KEPT_MS = 250

/**
 * Runs an act while no other tab runs one of this name, and after what the last one stored. Browsers have
 * locks on secure origins only, and not where storage is blocked: elsewhere the act runs at once.
 */
export function withLock<T>(name: string, act: () => Promise<T>): Promise<T> {
  return new Promise((resolve) => {
    let result: Promise<T> | undefined
    const start = async () => {
      result ??= act()
      resolve(result)
      await result.catch(() => {})
    }
    const startLocked = async () => {
      await start()
      await new Promise((free) => setTimeout(free, KEPT_MS))
    }
    const request = async () => navigator.locks.request(name, startLocked)
    request().catch(start)
  })
}
