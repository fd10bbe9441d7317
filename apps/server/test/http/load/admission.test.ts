// The time limits of the admission, and requests whose client goes away. The test moves the clock.
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { shedRequests } from '../../../src/metrics/registry.ts'
import { admit } from '../../kit/admit.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
})

const shedCounts = async () =>
  new Map((await shedRequests.get()).values.map(({ labels, value }) => [labels.reason, value]))

/** How often each reason was counted while `act` ran. */
async function countShed(act: () => void): Promise<object> {
  const before = await shedCounts()
  act()
  const counts = [...(await shedCounts())].map(
    ([reason, count]) => [reason, count - (before.get(reason) ?? 0)] as const,
  )
  return Object.fromEntries(counts.filter(([, count]) => count !== 0))
}

test('503: a request waits for a slot as long as the limit, and is counted', async () => {
  const { started, refused, send } = admit({ slots: 1, maxQueuedMs: 100 })
  send('a0')
  send('b0')
  vi.advanceTimersByTime(75)
  expect(refused).toEqual([])
  expect(await countShed(() => vi.advanceTimersByTime(25))).toEqual({ queue_timeout: 1 })
  expect([started, refused]).toEqual([['a0'], ['b0']])
})

test('503: a request beyond the queue is counted, and so is one that makes room', async () => {
  const { refused, sendMany } = admit({ slots: 1, queued: 2 })
  expect(await countShed(() => sendMany('a', 4))).toEqual({ queue_full: 1 })
  expect(await countShed(() => sendMany('b', 1))).toEqual({ queue_full: 1 })
  expect(refused).toEqual(['a3', 'a2'])
})

test('503: at its deadline a request gets 503 once, and its slot goes to the next', async () => {
  const { started, refused, send } = admit({ slots: 1, deadlineMs: 1_000 })
  const { req } = send('a0')
  vi.advanceTimersByTime(500)
  send('b0')
  vi.advanceTimersByTime(475)
  expect([req.exchange.isTimedOut, started]).toEqual([false, ['a0']])
  expect(await countShed(() => vi.advanceTimersByTime(25))).toEqual({ deadline: 1 })
  // The result of its handler is discarded.
  expect([req.exchange.isTimedOut, refused, started]).toEqual([true, ['a0'], ['a0', 'b0']])
})

test('a handler that still runs after the deadline keeps its slot for one more deadline', () => {
  const { started, refused, send } = admit({ slots: 1, deadlineMs: 1_000 })
  void send('a0').req.exchange.slot!.keepDuring(() => new Promise(() => {}))
  vi.advanceTimersByTime(1_500)
  send('b0')
  vi.advanceTimersByTime(475)
  expect([refused, started]).toEqual([['a0'], ['a0']])
  vi.advanceTimersByTime(25)
  expect([refused, started]).toEqual([['a0'], ['a0', 'b0']])
})

test('a request that leaves the queue because of the 503 of another one gets none', () => {
  let leave = () => {}
  const { refused, send } = admit({ slots: 1, maxQueuedMs: 100 }, () => leave())
  send('a0')
  send('b0')
  leave = send('c0').close
  vi.advanceTimersByTime(200)
  expect(refused).toEqual(['b0'])
})

test('a request whose client goes away while it waits leaves the queue without 503', () => {
  const { started, refused, send, response } = admit({ slots: 1 })
  send('a0')
  send('b0').close()
  response('a')
  expect([started, refused]).toEqual([['a0'], []])
})

test('a request gets its slot back neither after its client has gone nor after its deadline', async () => {
  const { send } = admit({ slots: 1, deadlineMs: 1_000 })
  const [early, late, gone] = ['a0', 'b0', 'c0'].map((name) => {
    const request = send(name)
    request.req.exchange.slot!.release()
    return request
  }) as [ReturnType<typeof send>, ReturnType<typeof send>, ReturnType<typeof send>]
  void send('d0').req.exchange.slot!.keepDuring(() => new Promise(() => {}))
  const [ofEarly, ofLate] = [early.req.exchange.slot!.reacquire(), late.req.exchange.slot!.reacquire()]
  early.close()
  gone.close()
  vi.advanceTimersByTime(1_000)
  expect(await Promise.all([ofEarly, ofLate, gone.req.exchange.slot!.reacquire()])).toEqual([
    false,
    false,
    false,
  ])
})

test('503: a request that got its slot back still has a deadline', async () => {
  const { refused, send } = admit({ slots: 1, deadlineMs: 1_000 })
  const slot = send('a0').req.exchange.slot!
  slot.release()
  expect(await slot.reacquire()).toBe(true)
  vi.advanceTimersByTime(1_000)
  expect(refused).toEqual(['a0'])
})

test('a request keeps its slot after its work has ended, until its response is sent', async () => {
  const { started, send, response } = admit({ slots: 1 })
  await send('a0').req.exchange.slot!.keepDuring(async () => {})
  send('b0')
  expect(started).toEqual(['a0'])
  response()
  expect(started).toEqual(['a0', 'b0'])
})

test('no timer runs after the last request has ended', () => {
  const { send, response } = admit({ slots: 1 })
  send('a0')
  send('b0')
  expect(vi.getTimerCount()).toBeGreaterThan(0)
  response()
  response()
  expect(vi.getTimerCount()).toBe(0)
})

test('a caller that competes may hold every slot a second after the last request of another one', () => {
  const { started, sendMany } = admit({ slots: 20 })
  sendMany('other', 1)
  sendMany('greedy', 4)
  vi.advanceTimersByTime(900)
  sendMany('greedy', 15)
  expect(started).toHaveLength(5)
  vi.advanceTimersByTime(100)
  sendMany('greedy', 1)
  expect(started).toHaveLength(20)
})

test('a request that waits for its slot has no deadline', () => {
  const { refused, send } = admit({ slots: 1, deadlineMs: 1_000 })
  send('a0').req.exchange.slot!.release()
  vi.advanceTimersByTime(60_000)
  expect(refused).toEqual([])
})

test('a long-running operation has neither a slot nor a deadline', () => {
  const { receive, acquireSlot, inFlight, refused } = admit({ slots: 1, deadlineMs: 1_000 })
  const { req, res } = receive('a0')
  req.exchange.callerName = 'operator'
  Object.assign(req, { openapi: { schema: { operationId: 'completeRestore' } } })
  const next = vi.fn()
  void acquireSlot(req, res, next)
  vi.advanceTimersByTime(60_000)
  expect([next.mock.calls, inFlight(), refused]).toEqual([[[]], 0, []])
})

test.each([
  { afterMs: 100, slots: 20 },
  { afterMs: 600, slots: 14 },
])('after a request that took $afterMs ms of 1,000, there are $slots of 20 slots', ({ afterMs, slots }) => {
  const { started, send, sendMany, response } = admit({ slots: 20, deadlineMs: 1_000 })
  send('a')
  vi.advanceTimersByTime(afterMs)
  response()
  vi.advanceTimersByTime(1_000)
  sendMany('a', 20)
  expect(started).toHaveLength(1 + slots)
})

test('slow requests lower the slots to ten at the least, and fast ones raise them again', () => {
  const { started, sendMany, response } = admit({ slots: 20 })
  const startMany = () => {
    const before = started.length
    sendMany('a', 20)
    const count = started.length - before
    return count
  }
  for (let slow = 0; slow < 3; slow++) {
    startMany()
    vi.advanceTimersByTime(50_000)
    for (let count = 0; count < 20; count++) response()
  }
  expect(startMany()).toBe(10)
  for (let count = 0; count < 200; count++) {
    response()
    sendMany('a', 1)
  }
  for (let count = 0; count < 20; count++) response()
  expect(startMany()).toBe(20)
})

test('503: a request that waited for its slot has three quarters of its deadline after the longest wait', () => {
  const { refused, started, send, response } = admit({ slots: 1, maxQueuedMs: 500, deadlineMs: 1_000 })
  send('a0')
  send('b0')
  vi.advanceTimersByTime(400)
  response()
  expect(started).toEqual(['a0', 'b0'])
  vi.advanceTimersByTime(849)
  expect(refused).toEqual([])
  vi.advanceTimersByTime(1)
  expect(refused).toEqual(['b0'])
})
