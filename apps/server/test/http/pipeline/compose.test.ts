import { EventEmitter } from 'node:events'
import type { Request, Response } from 'express'
import { expect, test } from 'vitest'
import { compose } from '../../../src/http/pipeline/compose.ts'

/** Runs two functions of which the first waits for `release`. Returns the names of those that ran. */
function runWaiting() {
  const response = Object.assign(new EventEmitter(), { headersSent: false, closed: false })
  const ran: string[] = []
  const gate = Promise.withResolvers<Error | undefined>()
  const handler = compose(
    async (_req, _res, next) => {
      ran.push('first')
      next(await gate.promise)
    },
    () => void ran.push('second'),
  )
  void handler({} as Request, response as unknown as Response, (reason) => ran.push(reason ? 'error' : 'end'))
  const release = async (error?: Error) => {
    gate.resolve(error)
    await gate.promise
    return ran
  }
  return { response, release }
}

test('each function runs after the one before', async () => {
  expect(await runWaiting().release()).toEqual(['first', 'second'])
})

test.each(['closed', 'headersSent'] as const)('no function starts when the response is %s', async (state) => {
  const { response, release } = runWaiting()
  response[state] = true
  expect(await release()).toEqual(['first'])
})

test('an error is passed on, also when the client went away', async () => {
  const { response, release } = runWaiting()
  response.closed = true
  expect(await release(new Error('failed'))).toEqual(['first', 'error'])
})
