import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Request, Response } from 'express'
import { expect, test } from 'vitest'
import { createAdmission } from '../../../src/http/load/admission.ts'
import { prepareDrain } from '../../../src/http/process/drain.ts'

const RESPONSES = 20_000
const CONCURRENT = 64
const RESPONSE_BYTES = 2_000

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { type: 'minor' | 'major' }) => void

/** A response in flight: an emitter that can be closed. */
class FakeResponse extends EventEmitter {
  bytes = Array.from({ length: RESPONSE_BYTES / 8 }, (_, index) => index)
}

/**
 * Keeps some responses open at a time and closes the oldest. Returns how many closed responses are still on
 * the heap.
 */
function countKept(add: (response: FakeResponse) => void): number {
  const open: FakeResponse[] = []
  collect({ type: 'major' })
  const before = getHeapStatistics().used_heap_size
  for (let count = 1; count <= RESPONSES; count++) {
    const response = new FakeResponse()
    open.push(response)
    add(response)
    if (open.length > CONCURRENT) open.shift()!.emit('close')
    if (count % 500 === 0) collect({ type: 'minor' })
  }
  return Math.round((getHeapStatistics().used_heap_size - before) / RESPONSE_BYTES)
}

function drain() {
  const server = new EventEmitter()
  prepareDrain(server as Server)
  return (response: FakeResponse) => void server.emit('request', {}, response)
}

function admission() {
  const bounds = { maxInFlight: 2 * CONCURRENT, maxQueued: 0, maxQueuedMs: 60_000, deadlineMs: 60_000 }
  const { startDeadline, acquireSlot } = createAdmission({ admission: bounds, sendFailure: () => {} })
  return (response: FakeResponse) => {
    const req = { exchange: { callerName: 'partner 1' } } as Request
    const res: unknown = response
    void startDeadline(req, res as Response, () => void acquireSlot(req, res as Response, () => {}))
  }
}

test.each([drain, admission])('%o keeps no completed request in memory', (watch) => {
  expect(countKept(watch())).toBeLessThan(500)
})
