// The queue by itself: which callers wait, which one is next, and which are forgotten.
import { describe, expect, test } from 'vitest'
import { FairQueue } from '../../src/http/fair-queue.ts'

type Waiting = { caller: ReturnType<FairQueue<Waiting>['callerOf']>; queue: Waiting[] | undefined }
const claim = (caller: string) => ({ caller, isKnown: true, fingerprint: '' })

test('idle callers are forgotten when there are 1,000; callers with requests are kept', () => {
  const queue = new FairQueue<Waiting>()
  const callers = Array.from({ length: 1_000 }, (_, index) => queue.callerOf(claim(`partner ${index}`)))
  queue.addInFlight(callers[0]!)
  queue.add({ caller: callers[1]!, queue: undefined }, 'newcomers')
  queue.add({ caller: callers[2]!, queue: undefined }, 'returning')
  queue.addInFlight(callers[3]!)
  queue.add({ caller: callers[3]!, queue: undefined }, 'newcomers')
  queue.addInFlight(callers[4]!)
  queue.add({ caller: callers[4]!, queue: undefined }, 'returning')
  queue.callerOf(claim('one too many'))
  const isKept = (index: number) => queue.callerOf(claim(`partner ${index}`)) === callers[index]
  expect([0, 1, 2, 3, 4, 5].map(isKept)).toEqual([true, true, true, true, true, false])
})

test('while more than 1,000 callers have requests, an idle caller is not forgotten at once', () => {
  const queue = new FairQueue<Waiting>()
  for (let count = 0; count < 1_000; count++) queue.addInFlight(queue.callerOf(claim(`busy ${count}`)))
  const idle = queue.callerOf(claim('idle'))
  queue.callerOf(claim('another'))
  expect(queue.callerOf(claim('idle'))).toBe(idle)
})

describe('the queue', () => {
  const queue = new FairQueue<Waiting>()
  const waitAs = (caller: Waiting['caller'], kind: 'newcomers' | 'returning' = 'newcomers') => {
    const request: Waiting = { caller, queue: undefined }
    queue.add(request, kind)
    return request
  }
  const isWaiting = () => true

  test('a caller that waits in both queues waits until both are empty, and is listed once', () => {
    const caller = queue.callerOf(claim('in both'))
    const requests = [waitAs(caller), waitAs(caller, 'returning'), waitAs(caller)]
    expect(queue.waitingWhere(isWaiting)).toHaveLength(3)
    expect([queue.remove(requests[0]!), queue.remove(requests[0]!)]).toEqual([true, false])
    expect(queue.waitingWhere(isWaiting)).toHaveLength(2)
    for (const request of requests) queue.remove(request)
    expect(queue.isEmpty).toBe(true)
  })

  test('the two queues of a caller take turns while both have requests', () => {
    const caller = queue.callerOf(claim('taking turns'))
    const newcomers = [waitAs(caller), waitAs(caller)]
    const returning = [waitAs(caller, 'returning'), waitAs(caller, 'returning'), waitAs(caller, 'returning')]
    const served = Array.from({ length: 5 }, () => queue.next(1, 1))
    expect(served).toEqual([returning[0], newcomers[0], returning[1], newcomers[1], returning[2]])
  })

  test('of callers with as many requests in flight, the one that has waited longest is next', () => {
    const callers = ['first', 'second'].map((name) => queue.callerOf(claim(name)))
    for (const caller of callers) queue.addInFlight(caller)
    const [first] = callers.map((caller) => waitAs(caller))
    expect(queue.next(4, 4)).toBe(first)
  })

  test('a caller that holds its share of the slots is not next', () => {
    const own = new FairQueue<Waiting>()
    const request: Waiting = { caller: own.callerOf(claim('a')), queue: undefined }
    own.addInFlight(request.caller)
    own.add(request, 'newcomers')
    expect([own.next(4, 1), own.next(4, 2)]).toEqual([undefined, request])
  })

  test('a request that moves to another caller takes its slot with it, if it holds one', () => {
    const [from, to] = [queue.callerOf(claim('from')), queue.callerOf(claim('to'))]
    const move = (isInFlight: boolean) => {
      queue.move({ caller: from, queue: undefined }, to, isInFlight, () => false)
      return [from.inFlight, to.inFlight]
    }
    queue.addInFlight(from)
    expect([move(false), move(true)]).toEqual([
      [1, 0],
      [0, 1],
    ])
  })
})
