// Throttles a function that is called often, such as a read of the database after each notification.
//
// States:
// - idle: a call runs `act` at once.
// - busy: `act` is running, or the pause after a run is not over. Calls are remembered as one: `act` runs
//   once more at the end of the pause, whether there was one call or a thousand.
//
// The first pause is 50 ms. While calls go on, each pause is twice as long as the one before, up to
// `maxPauseMs`. After a pause without a call the function is idle, and the next pause is 50 ms again.
//
// Example: a call each millisecond from t = 0. If `act` takes no time, it runs at 0, 50, 150, 350, 750, 1,250
// ms and then every 500 ms.
//
// Guarantees: each call is followed by a run that starts after the call (unless `stop` is called). Two runs
// never overlap. `act` must not reject.
const MIN_PAUSE_MS = 50
const MAX_PAUSE_MS = 500

export type Throttled = { call(): void; stop(): void }

export function throttled(act: () => void | Promise<void>, maxPauseMs = MAX_PAUSE_MS): Throttled {
  let isBusy = false
  let isDue = false
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let pauseMs = MIN_PAUSE_MS

  async function run(): Promise<void> {
    isBusy = true
    isDue = false
    await act()
    if (!isStopped) timer = setTimeout(resume, pauseMs).unref()
  }

  function resume(): void {
    pauseMs = isDue ? Math.min(pauseMs * 2, maxPauseMs) : MIN_PAUSE_MS
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
