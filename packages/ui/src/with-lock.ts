/**
 * Runs an act while no other tab runs one of this name. Browsers have locks on secure origins only, and not
 * where storage is blocked: elsewhere the act runs at once.
 */
export async function withLock<T>(name: string, act: () => Promise<T>): Promise<T> {
  let isStarted = false
  const start = () => {
    isStarted = true
    return act()
  }
  try {
    return await navigator.locks.request(name, start)
  } catch (error) {
    if (isStarted) throw error
    return act()
  }
}
