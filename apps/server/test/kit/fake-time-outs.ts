import { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { onTestFinished, vi } from 'vitest'

/**
 * Lets the test decide when time passes, for timers, `AbortSignal.timeout` and time-outs of sockets with a callback. Node
 * runs the last two by timers of its own, which Vitest does not replace.
 */
export function fakeTimeOuts(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const timeout = new AbortController()
    setTimeout(() => timeout.abort(new DOMException('', 'TimeoutError')), ms)
    return timeout.signal
  })
  vi.spyOn(Socket.prototype, 'setTimeout').mockImplementation(function (this: Socket, ms, onTimeout) {
    if (onTimeout) setTimeout(onTimeout, ms)
    return this
  })
  onTestFinished(() => {
    vi.restoreAllMocks()
    vi.useRealTimers()
  })
}

const HANGS_MS = 60_000

/** Waits without moving the faked clock, which `expect.poll` would advance. */
export async function until(isTrue: () => boolean): Promise<void> {
  const startedAtMs = performance.now()
  while (!isTrue()) {
    if (performance.now() - startedAtMs > HANGS_MS) throw new Error(`Never true: ${String(isTrue)}`)
    await turn()
  }
}
