type Kind = 'localStorage' | 'sessionStorage'

/** A storage of the browser. What it does not take, as when it is blocked, stays in memory until a reload. */
export function openStorage(kind: Kind) {
  const memory = new Map<string, string>()
  return {
    get(key: string): string | undefined {
      try {
        return memory.get(key) ?? globalThis[kind].getItem(key) ?? undefined
      } catch {
        return undefined
      }
    },
    set(key: string, value: string): void {
      try {
        globalThis[kind].setItem(key, value)
        memory.delete(key)
      } catch {
        memory.set(key, value)
      }
    },
    /** False: the value is lost at a reload. */
    isKept: (key: string) => !memory.has(key),
    remove(key: string): void {
      memory.delete(key)
      try {
        globalThis[kind].removeItem(key)
      } catch {
        // A blocked storage holds nothing.
      }
    },
  }
}

/** It is the same in all tabs. */
export const sharedStorage = openStorage('localStorage')
