/**
 * Repeats a task until it is ended: every so often, when it is woken, and at once where the task says that there is more.
 * The task must not reject.
 */
export function startPollLoop(everyMs: number, task: () => Promise<boolean | void>): { wake(): void; end(): Promise<void> } {
  let isEnding = false
  let wake = () => {}
  const running = (async () => {
    while (!isEnding) {
      // Made before the task runs: who wakes it meanwhile is heard.
      const woken = new Promise<void>((resolve) => (wake = resolve))
      if (await task()) continue
      const timer = setTimeout(wake, everyMs)
      await woken
      clearTimeout(timer)
    }
  })()
  return {
    wake: () => wake(),
    end: () => {
      isEnding = true
      wake()
      return running
    },
  }
}
