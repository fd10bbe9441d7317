// Which request gets the next slot, and which request is refused when the queue is full: the admission
// without a server.
import { setImmediate } from 'node:timers/promises'
import { routes } from '@tiwala/contract'
import type { Request, Response } from 'express'
import { expect, test } from 'vitest'
import { admit } from '../kit/admit.ts'

test('a single caller may use every slot', () => {
  const { started, sendMany } = admit({ slots: 4 })
  sendMany('a', 6)
  expect(started).toEqual(['a0', 'a1', 'a2', 'a3'])
})

test('a free slot goes to the caller with the fewest requests in flight', () => {
  const { started, sendMany, response } = admit({ slots: 4 })
  sendMany('a', 300)
  sendMany('b', 4)
  for (let count = 0; count < 4; count++) response('a')
  for (let count = 0; count < 3; count++) response('b')
  // Two slots each, until B has no request left.
  expect(started.slice(4)).toEqual(['b0', 'b1', 'a4', 'a5', 'b2', 'b3', 'a6'])
})

test('a caller with one request waits for one slot, however many requests another caller has queued', () => {
  const { started, send, sendMany, response } = admit({ slots: 2 })
  sendMany('a', 300)
  for (let count = 0; count < 50; count++) {
    send(`b${count}`)
    response('a')
    expect(started.at(-1)).toBe(`b${count}`)
    response('b')
  }
})

test('three callers with many requests get a third of the slots each', () => {
  const { started, sendMany, response } = admit({ slots: 3 })
  for (const caller of ['a', 'b', 'c']) sendMany(caller, 100)
  for (let count = 0; count < 90; count++) response()
  for (const caller of ['a', 'b', 'c'])
    expect(started.slice(-60).filter((name) => name.startsWith(caller))).toHaveLength(20)
})

test('503: when the queue is full, the last request of the caller with the longest queue is refused', () => {
  const { refused, sendMany, send } = admit({ slots: 1, queued: 10 })
  sendMany('a', 11)
  send('b0')
  expect(refused).toEqual(['a10'])
  sendMany('a', 1)
  expect(refused).toEqual(['a10', 'a0'])
  send('c0')
  expect(refused).toEqual(['a10', 'a0', 'a9'])
})

test('503: of two queues of equal length, that of the new request is refused', () => {
  const { refused, sendMany } = admit({ slots: 1, queued: 9 })
  sendMany('a', 5)
  sendMany('b', 5)
  sendMany('a', 1)
  expect(refused).toEqual(['a0'])
})

test('503: before its body is read, a request is refused only if it could not be queued', () => {
  const { sendMany, rejectIfOverloaded } = admit({ slots: 1, queued: 10 })
  sendMany('a', 11)
  const reject = (caller: string, path = '/') => {
    let isPassed = false
    const claim = { caller, isKnown: true, fingerprint: '' }
    void rejectIfOverloaded({ claim, path } as Request, {} as Response, () => (isPassed = true))
    return isPassed
  }
  expect(() => reject('a')).toThrow('The service is busy')
  expect(reject('b')).toBe(true)
  // Its caller is in the body.
  expect(reject('a', routes.partner.generateToken.path)).toBe(true)
})

test('unauthenticated callers together get a quarter of the slots while other callers wait', () => {
  const { started, sendMany, response } = admit({ slots: 8 })
  for (let address = 0; address < 100; address++)
    sendMany(`unknown-${address}-`, 1, { caller: `address ${address}`, isKnown: false })
  sendMany('partner', 100)
  for (let count = 0; count < 60; count++) response()
  const latest = started.slice(-40)
  expect(latest.filter((name) => name.startsWith('unknown'))).toHaveLength(10)
})

test('503: a full queue refuses requests of unauthenticated callers before those of a known caller', () => {
  const { refused, sendMany } = admit({ slots: 1, queued: 8 })
  for (let address = 0; address < 9; address++)
    sendMany(`unknown-${address}-`, 1, { caller: `address ${address}`, isKnown: false })
  sendMany('partner', 7)
  expect(refused).toHaveLength(6 + 1)
  expect(refused.filter((name) => name.startsWith('partner'))).toEqual(['partner6'])
})

test('503: unauthenticated callers fill at most a quarter of the queue, the new request included', () => {
  const { refused, sendMany } = admit({ slots: 1, queued: 8 })
  sendMany('partner', 7)
  for (let address = 0; address < 3; address++)
    sendMany(`unknown-${address}-`, 1, { caller: `address ${address}`, isKnown: false })
  expect(refused).toEqual(['unknown-2-0'])
})

test('when a caller is authenticated, its queued requests move with it', () => {
  const { started, send, sendMany, response } = admit({ slots: 1 })
  const unknown = { caller: 'address 192.0.2.1', isKnown: false }
  const first = send('partner0', { ...unknown, fingerprint: 'secret of the partner' })
  sendMany('unknown', 10, { ...unknown, fingerprint: 'wrong' })
  send('partner1', { ...unknown, fingerprint: 'secret of the partner' })
  first.req.slot.assign({ caller: 'partner', isKnown: true, fingerprint: 'secret of the partner' })
  response()
  response()
  expect(started.slice(1, 3)).toEqual(['unknown0', 'partner1'])
})

test('a request that wants its slot back waits in the queue of its caller, in turn', async () => {
  const { started, send, sendMany, response } = admit({ slots: 1 })
  const waiting = send('a-waiting', { caller: 'a' })
  waiting.req.slot.release()
  sendMany('a', 3)
  let hasSlot = false
  const reacquired = waiting.req.slot.reacquire().then((has) => (hasSlot = has))
  send('b0')
  response('a0')
  await reacquired
  expect([hasSlot, started.at(-1)]).toEqual([true, 'a0'])
  waiting.close()
  expect(started.at(-1)).toBe('b0')
  response('b0')
  expect(started.at(-1)).toBe('a1')
})

test('a request keeps its slot after its client disconnects, until its work ends', async () => {
  const { started, send } = admit({ slots: 1 })
  const gone = send('a0')
  let finish!: () => void
  const work = gone.req.slot.keepDuring(() => new Promise<void>((resolve) => (finish = resolve)))
  send('b0')
  gone.close()
  expect(started).toEqual(['a0'])
  finish()
  await work
  expect(started).toEqual(['a0', 'b0'])
})

/** Blocks the event loop, so that the next timer runs late. */
async function delayTimers(ms: number): Promise<void> {
  const untilMs = performance.now() + ms
  while (performance.now() < untilMs);
  await setImmediate()
}

test('while timers run late, a caller that competes with another one holds four slots at most', async () => {
  const { sendMany, started } = admit({ slots: 20 })
  const countStarted = () => started.filter((name) => name.startsWith('greedy')).length
  sendMany('other', 1)
  for (let late = 0; late < 10; late++) await delayTimers(35)
  sendMany('greedy', 20)
  expect(countStarted()).toBe(4)
  // Each timer in time gives it one more.
  await expect.poll(countStarted).toBeGreaterThan(4)
})

test('a caller that may start takes no place of a full queue', async () => {
  const { sendMany, started, refused } = admit({ slots: 20, queued: 16 })
  sendMany('other', 1)
  for (let late = 0; late < 10; late++) await delayTimers(35)
  sendMany('greedy', 20)
  sendMany('third', 1)
  expect([started.at(-1), refused]).toEqual(['third0', []])
})

test('while timers run late, a caller that is alone may hold every slot', async () => {
  const { sendMany, started } = admit({ slots: 20 })
  sendMany('a', 1)
  for (let late = 0; late < 10; late++) await delayTimers(35)
  sendMany('a', 19)
  expect(started).toHaveLength(20)
})
