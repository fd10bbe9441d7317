// Which request gets the next slot, and which request is refused when the queue is full: the admission
// without a server.
import { setImmediate } from 'node:timers/promises'
import type { Request, Response } from 'express'
import { describe, expect, test } from 'vitest'
import { createFairSlots } from '../../../src/http/load/fair-slots.ts'
import { admit } from '../../kit/admit.ts'

test('a single caller may use every slot', () => {
  const { started, sendMany } = admit({ slots: 4 })
  sendMany('a', 6)
  expect(started).toEqual(['a0', 'a1', 'a2', 'a3'])
})

test('while callers compete, one of them holds a twelfth of the slots at most', () => {
  const { started, sendMany } = admit({ slots: 120 })
  const countStarted = (caller: string) => started.filter((name) => name.startsWith(caller)).length
  sendMany('other', 1)
  sendMany('greedy', 120)
  expect(countStarted('greedy')).toBe(10)
})

test('free slots go to a waiting caller until it holds its share', () => {
  const { started, sendMany, response } = admit({ slots: 120 })
  sendMany('a', 300)
  sendMany('b', 20)
  expect(started).toHaveLength(120)
  for (let count = 0; count < 20; count++) response('a')
  expect(started.slice(120)).toEqual(Array.from({ length: 10 }, (_, index) => `b${index}`))
  response('b')
  expect(started.at(-1)).toBe('b10')
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

test('503: a page is refused while all slots are taken and the queue is full', () => {
  const { sendMany, response, rejectIfOverloaded } = admit({ slots: 1, queued: 2 })
  const readPage = () => {
    let isPassed = false
    void rejectIfOverloaded({ ip: 'page' } as Request, {} as Response, () => (isPassed = true))
    return isPassed
  }
  sendMany('a', 2)
  expect(readPage()).toBe(true)
  sendMany('b', 1)
  expect(readPage).toThrow('The service is busy')
  response()
  expect(readPage()).toBe(true)
})

test('503: a page is refused for the flood of its own address only', () => {
  const slots = createFairSlots({ max: 1, maxQueued: 5, deadlineMs: 60_000 })
  const flood = (address: string, requests: number) => {
    for (let count = 0; count < requests; count++)
      slots.acquire({ caller: address, timeoutMs: 60_000 }, () => {})
  }
  flood('192.0.2.1', 6)
  expect(['192.0.2.1', '192.0.2.2'].map(slots.isFull)).toEqual([true, false])
  flood('192.0.2.2', 2)
  expect(['192.0.2.1', '192.0.2.2', '192.0.2.3'].map(slots.isFull)).toEqual([true, true, false])
})

test('a caller that may start takes no place of a full queue', () => {
  const { sendMany, send, started, refused } = admit({ slots: 20, queued: 16 })
  sendMany('other', 1)
  sendMany('greedy', 20)
  send('third0')
  expect([started.at(-1), refused]).toEqual(['third0', []])
})

test('a request that wants its slot back waits in the queue of its caller, also if the queue is full', async () => {
  const { started, refused, send, sendMany, response } = admit({ slots: 1, queued: 1 })
  const waiting = send('a-waiting')
  waiting.req.exchange.slot!.release()
  sendMany('b', 2)
  let hasSlot = false
  const reacquired = waiting.req.exchange.slot!.reacquire().then((has) => (hasSlot = has))
  response('b0')
  expect(started.at(-1)).toBe('b1')
  response('b1')
  await reacquired
  send('c0')
  expect([hasSlot, started.at(-1), refused]).toEqual([true, 'b1', []])
  waiting.close()
  expect(started.at(-1)).toBe('c0')
})

test('a request that wants its slot back is not refused for a new one', () => {
  const { refused, sendMany } = admit({ slots: 1, queued: 1 })
  const [first, second] = sendMany('a', 1).concat(sendMany('b', 1))
  first!.req.exchange.slot!.release()
  for (const { req } of [first!, first!]) void req.exchange.slot!.reacquire()
  sendMany('c', 1)
  sendMany('d', 1)
  expect([refused, second!.req.exchange.isTimedOut]).toEqual([['d0'], false])
})

test('a request keeps its slot after its client disconnects, until its work ends', async () => {
  const { started, send } = admit({ slots: 1 })
  const gone = send('a0')
  let finish!: () => void
  const work = gone.req.exchange.slot!.keepDuring(() => new Promise<void>((resolve) => (finish = resolve)))
  send('b0')
  gone.close()
  expect(started).toEqual(['a0'])
  finish()
  await work
  expect(started).toEqual(['a0', 'b0'])
})

describe('authentication has slots of its own', () => {
  /** Authenticates as a caller until the returned function is called. */
  const hold = (request: Request, caller: string, started: string[]) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const work = () => {
      started.push(caller)
      return promise
    }
    const done = request.exchange
      .slot!.authenticateAs(caller, work)
      .catch((error: { code: string }) => error.code)
    return { done, finish: resolve }
  }

  test('a flood of one address delays no other address and no operation', async () => {
    const { receive, send, started: operating } = admit({ slots: 4 })
    const started: string[] = []
    const flood = Array.from({ length: 50 }, () => hold(receive('x').req, '203.0.113.9', started))
    await setImmediate()
    expect(started).toHaveLength(4)
    send('a0')
    expect(operating).toEqual(['a0'])
    const other = hold(receive('y').req, 'partner 7', started)
    flood[0]!.finish()
    await flood[0]!.done
    expect(started[4]).toBe('partner 7')
    for (const { finish } of [...flood, other]) finish()
    await Promise.all([...flood, other].map(({ done }) => done))
  })

  test('503: beyond the queue, the address with the most waiting requests is refused', async () => {
    const { receive } = admit({ slots: 1, queued: 2 })
    const flood = Array.from({ length: 3 }, () => hold(receive('x').req, '203.0.113.9', []))
    const other = hold(receive('y').req, 'partner 7', [])
    expect(await flood[2]!.done).toBe('unavailable')
    flood[0]!.finish()
    flood[1]!.finish()
    other.finish()
    await Promise.all([flood[0]!.done, flood[1]!.done, other.done])
  })

  test('a request whose client goes away while it waits leaves the queue, and its work never runs', async () => {
    const { receive, queued } = admit({ slots: 1 })
    const started: string[] = []
    const first = hold(receive('x').req, 'a', started)
    const gone = receive('y')
    const waiting = hold(gone.req, 'b', started)
    expect(queued()).toBe(1)
    gone.close()
    expect([await waiting.done, queued()]).toEqual(['unavailable', 0])
    first.finish()
    await first.done
    expect(started).toEqual(['a'])
  })

  test('a request has its slot for authentication until its work ends, also if it fails', async () => {
    const { receive, inFlight } = admit({ slots: 1 })
    const slot = receive('x').req.exchange.slot!
    await expect(slot.authenticateAs('a', async () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(inFlight()).toBe(0)
  })
})

test('a caller without requests is forgotten', () => {
  const slots = createFairSlots({ max: 1, maxQueued: 1, deadlineMs: 1_000 })
  for (let count = 0; count < 3; count++) {
    const release = slots.acquire({ caller: `${count}`, timeoutMs: 1_000 }, () => {})
    const leave = slots.acquire({ caller: `${count}`, timeoutMs: 1_000 }, () => {})
    leave()
    release()
    release()
  }
  expect([slots.inFlight(), slots.queued(), slots.callers()]).toEqual([0, 0, 0])
  // One whose only request was refused, too.
  const full = createFairSlots({ max: 1, maxQueued: 0, deadlineMs: 1_000 })
  full.acquire({ caller: 'holds', timeoutMs: 1_000 }, () => {})
  full.acquire({ caller: 'refused', timeoutMs: 1_000 }, () => {})
  expect(full.callers()).toBe(1)
})
