// The connection that receives notifications: a server that is gone without a word is noticed, and asked for again.
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { listenOn } from '../../src/database/listen.ts'
import { until } from '../kit/fake-time-outs.ts'
import { openNetworkProxy } from '../kit/network-proxy.ts'

const ignore = () => {}

test('a server that stays silent is left after 7 seconds, and asked every 7 seconds at least', async () => {
  await using proxy = await openNetworkProxy(inject('postgres').url)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const connects = vi.fn()
  const failures = vi.fn()
  const listening = await listenOn({ connectionString: proxy.url }, 'silent', ignore, connects, failures)
  expect(connects).toHaveBeenCalledTimes(1)
  // While it responds, the connection stays.
  for (let pings = 0; pings < 3; pings++) await vi.advanceTimersByTimeAsync(5_000)
  expect(connects).toHaveBeenCalledTimes(1)

  proxy.blackhole()
  // The ping, the end of its time, and the first attempt to connect.
  await vi.advanceTimersByTimeAsync(5_000)
  await vi.advanceTimersByTimeAsync(2_000)
  await expect.poll(() => failures.mock.calls.length).toBeGreaterThan(0)
  for (let round = 0; round < 12; round++) {
    const before = failures.mock.calls.length
    await vi.advanceTimersByTimeAsync(5_000)
    await vi.advanceTimersByTimeAsync(2_000)
    await until(() => failures.mock.calls.length > before)
  }
  await listening.close()
})
