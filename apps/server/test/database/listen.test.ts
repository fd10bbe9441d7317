// The connection that receives notifications: a server that is gone without a word is noticed, and asked for again.
import pg from 'pg'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { listenOn } from '../../src/database/listen.ts'
import { until } from '../kit/fake-time-outs.ts'
import { openNetworkProxy } from '../kit/network-proxy.ts'

const ignore = () => {}

test('a server that stays silent is left after 7 seconds, and asked every 7 seconds at least', async () => {
  await using proxy = await openNetworkProxy(inject('postgres').url)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  onTestFinished(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })
  const query = vi.spyOn(pg.Client.prototype, 'query')
  const connects = vi.fn()
  const failures = vi.fn()
  const listening = await listenOn({ connectionString: proxy.url }, 'silent', ignore, connects, failures)
  expect(connects).toHaveBeenCalledTimes(1)
  // While it responds, the connection stays. The response takes real time.
  for (let pings = 0; pings < 3; pings++) {
    await vi.advanceTimersByTimeAsync(5_000)
    await Promise.all(query.mock.results.map(({ value }) => value))
  }
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

test('the pauses between attempts to reconnect grow, up to 5 s; a new connection has a gap before it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
  onTestFinished(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })
  const attempts: { client: pg.Client; atMs: number }[] = []
  vi.spyOn(pg.Client.prototype, 'connect').mockImplementation(async function (this: pg.Client) {
    attempts.push({ client: this, atMs: Date.now() })
    if (attempts.length > 1 && attempts.length < 10) throw new Error('not now')
  })
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(async () => ({ rows: [] }))
  vi.spyOn(pg.Client.prototype, 'end').mockImplementation(async () => {})
  const onGap = vi.fn()
  const { close } = await listenOn({}, 'channel', ignore, onGap, ignore)
  attempts[0]!.client.emit('end')
  await vi.advanceTimersByTimeAsync(20_000)
  const pauses = attempts.slice(1).map(({ atMs }, index) => atMs - attempts[index]!.atMs)
  expect(pauses).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000])
  expect(onGap).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(onGap).toHaveBeenCalledTimes(2)
  await close()
})

test('a process gets the notifications of others, and not its own', async () => {
  const connection = { connectionString: inject('postgres').url }
  const received: string[] = []
  const listen = (name: string) =>
    listenOn(connection, 'own-or-not', (text) => void received.push(`${name} ${text}`), ignore, ignore)
  const [one, other] = [await listen('one'), await listen('other')]
  await one.notify(['first'])
  await other.notify(['second'])
  await expect.poll(() => received.toSorted()).toEqual(['one second', 'other first'])
  await Promise.all([one.close(), other.close()])
})
