import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Request, Response } from 'express'
import { expect, test } from 'vitest'
import { createAdmission } from '../src/http/admission.ts'
import { prepareDrain } from '../src/http/drain.ts'
import { type InFlightRequest, InFlightRequests } from '../src/http/in-flight-requests.ts'

const COME_AND_GO = 20_000
const AT_A_TIME = 64
const BYTES_OF_ONE = 2_000

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { type: 'minor' | 'major' }) => void

/** An answer under way, as far as it is one to whom it is told that it is closed. */
class Answer extends EventEmitter {
  bytes = Array.from({ length: BYTES_OF_ONE / 8 }, (_, index) => index)
}

/** As with requests some are there at any time, and each leaves soon. Tells how many that left are still in memory, as their bytes show. */
function countKept(enter: (answer: Answer) => void): number {
  const there: Answer[] = []
  collect({ type: 'major' })
  const before = getHeapStatistics().used_heap_size
  for (let came = 1; came <= COME_AND_GO; came++) {
    const answer = new Answer()
    there.push(answer)
    enter(answer)
    if (there.length > AT_A_TIME) there.shift()!.emit('close')
    if (came % 500 === 0) collect({ type: 'minor' })
  }
  return Math.round((getHeapStatistics().used_heap_size - before) / BYTES_OF_ONE)
}

function drain() {
  const server = new EventEmitter()
  prepareDrain(server as Server)
  return (answer: Answer) => void server.emit('request', {}, answer)
}

function admission() {
  const bounds = { maxInFlight: 2 * AT_A_TIME, maxQueued: 0, maxQueuedMs: 60_000, deadlineMs: 60_000 }
  const claims = { of: () => ({ caller: 'partner 1', isKnown: true, fingerprint: '' }) }
  const { acquireSlot } = createAdmission({ admission: bounds, claims })
  return (answer: Answer) => void acquireSlot({} as Request, answer as unknown as Response, () => {})
}

test.each([drain, admission])('%o keeps nobody in memory who was answered', (watch) => {
  expect(countKept(watch())).toBeLessThan(500)
})

test('control: a Set keeps them (the day that this fails, a Set will do)', () => {
  const answers = new Set<Answer>()
  const enter = (answer: Answer) => {
    answers.add(answer)
    answer.once('close', () => answers.delete(answer))
  }
  expect(countKept(enter)).toBeGreaterThan(1_000)
})

test('those who are there are its members, whoever left before', () => {
  const [first, second, third]: InFlightRequest[] = [{}, {}, {}]
  const crowd = new InFlightRequests<InFlightRequest>()
  for (const one of [first!, second!, third!]) crowd.add(one)
  expect([crowd.delete(first!), crowd.delete(first!), crowd.size]).toEqual([true, false, 2])
  expect(new Set(crowd.toArray())).toEqual(new Set([second, third]))
  for (const one of crowd.toArray()) expect(crowd.delete(one)).toBe(true)
  expect(crowd.toArray()).toEqual([])
})
