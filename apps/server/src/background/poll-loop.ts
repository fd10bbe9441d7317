/**
 * Repeats a task until `end` is called: every `everyMs`, when `wake` is called, and at once if the task
 * returns true (there is more to do). A task that returns a number runs again after so many milliseconds. A call
 * of `wake` while the task runs causes another run. The task must not reject.
 */
export function startPollLoop(
  everyMs: number,
  task: () => Promise<boolean | number | void>,
): { wake(): void; end(): Promise<void> } {
  let isEnding = false
  let wake = () => {}
  const running = (async () => {
    while (!isEnding) {
      // Created before the task runs, so that a `wake` during the task is not lost.
      const wakeUp = new Promise<void>((resolve) => (wake = resolve))
      const result = await task()
      if (result === true) continue
      const timer = setTimeout(wake, typeof result === 'number' ? result : everyMs)
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
