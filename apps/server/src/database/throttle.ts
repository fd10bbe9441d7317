const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 500

export type Throttled = { call(): void; stop(): void }

/**
 * Runs `act` at once when it is called, and bounds how often it runs while the calls go on: after each run there is a pause, and calls that
 * arrive in it cause one more run at its end, so the last call is always followed by a run. The pauses grow up to `longestPauseMs` and are
 * short again after the first pause without a call. `act` must not reject; two runs never overlap.
 */
export function throttled(act: () => void | Promise<void>, longestPauseMs = LONGEST_PAUSE_MS): Throttled {
  let isBusy = false
  let isDue = false
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let pauseMs = FIRST_PAUSE_MS

  async function run(): Promise<void> {
    isBusy = true
    isDue = false
    await act()
    if (!isStopped) timer = setTimeout(resume, pauseMs).unref()
  }

  function resume(): void {
    pauseMs = isDue ? Math.min(pauseMs * 2, longestPauseMs) : FIRST_PAUSE_MS
    if (isDue) void run()
    else isBusy = false
  }

  return {
    call: () => {
      if (isBusy) isDue = true
      else if (!isStopped) void run()
    },
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
