import { once } from 'node:events'
import express from 'express'
import { error as validator } from 'express-openapi-validator'
import { expect, test } from 'vitest'
import { Failure } from '../../../src/failure.ts'
import { createLog, logRequests } from '../../../src/http/pipeline/log.ts'
import { VERSION } from '../../../src/program.ts'

/** The log line of a request that ends with this failure. */
async function lineOf(failure: Failure): Promise<string> {
  const lines: string[] = []
  const app = express().use(logRequests(createLog('info', { write: (line) => void lines.push(line) })))
  app.use((_req, res) => {
    res.locals['failure'] = failure
    res.status(failure.status).end()
  })
  const server = app.listen(0)
  await once(server, 'listening')
  await fetch(`http://127.0.0.1:${(server.address() as { port: number }).port}`)
  server.close()
  return lines.join('')
}

test('500: the log names the fields of a response that breaks its document, without values', async () => {
  const invalid = new validator.InternalServerError({
    path: '/x',
    message: 'must be canary',
    errors: [{ path: '/response/expires_at', message: 'is canary', errorCode: 'format.openapi.validation' }],
  })
  const line = await lineOf(new Failure('internal_error', { cause: invalid }))
  expect(JSON.parse(line)).toMatchObject({ fault: { fields: ['/response/expires_at (format)'] } })
  expect(line).not.toContain('canary')
})

test('401: the log names the reason at info, which the response does not', async () => {
  const failure = new Failure('token_invalid', { reason: 'audience' })
  expect(JSON.parse(await lineOf(failure))).toMatchObject({
    level: 'info',
    service: 'tiwala',
    version: VERSION,
    reason: 'audience',
  })
  expect(JSON.stringify([failure.toBody('req_1'), failure.toHeaders('')])).not.toContain('audience')
})

test('499: the log says that the client went away before the response', async () => {
  const lines: string[] = []
  const client = new AbortController()
  const app = express().use(logRequests(createLog('info', { write: (line) => void lines.push(line) })))
  app.use(() => client.abort())
  const server = app.listen(0)
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  await expect(fetch(url, { signal: client.signal })).rejects.toThrow('aborted')
  await expect.poll(() => lines).toHaveLength(1)
  server.close()
  expect(JSON.parse(lines[0]!)).toMatchObject({ level: 'info', status: 499, msg: 'request completed' })
})
