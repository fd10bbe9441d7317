/**
 * Repeats a task until `end` is called: every `everyMs`, when `wake` is called, and at once if the task
 * returns true (there is more to do). A call of `wake` while the task runs causes another run. The task must
 * not reject.
 */
export function startPollLoop(
  everyMs: number,
  task: () => Promise<boolean | void>,
): { wake(): void; end(): Promise<void> } {
  let isEnding = false
  let wake = () => {}
  const running = (async () => {
    while (!isEnding) {
      // Created before the task runs, so that a `wake` during the task is not lost.
      const wakeUp = new Promise<void>((resolve) => (wake = resolve))
      if (await task()) continue
      const timer = setTimeout(wake, everyMs)
      await wakeUp
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
