import { AsyncLocalStorage } from 'node:async_hooks'
import { vi } from 'vitest'

const pausesOf = new AsyncLocalStorage<number[]>()

/**
 * Runs `run` without real pauses: its timers fire at once, and its clock has moved ahead by the same time.
 * `run` gets the list of its pauses in seconds. The timers of all other code in this process, such as the
 * server, are not changed.
 */
export async function withInstantTimers<T>(run: (pausesSeconds: number[]) => Promise<T>): Promise<T> {
  const [realTimeout, realNow] = [globalThis.setTimeout, Date.now]
  const pausesSeconds: number[] = []
  const timeout = vi.spyOn(globalThis, 'setTimeout').mockImplementation((callback: () => void, ms = 0) => {
    const pauses = pausesOf.getStore()
    pauses?.push(ms / 1000)
    return realTimeout(callback, pauses ? 0 : ms)
  })
  const now = vi
    .spyOn(Date, 'now')
    .mockImplementation(
      () => realNow() + 1000 * (pausesOf.getStore() ?? []).reduce((sum, seconds) => sum + seconds, 0),
    )
  try {
    return await pausesOf.run(pausesSeconds, () => run(pausesSeconds))
  } finally {
    timeout.mockRestore()
    now.mockRestore()
  }
}
