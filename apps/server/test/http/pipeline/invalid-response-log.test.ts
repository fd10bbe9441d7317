import { once } from 'node:events'
import express from 'express'
import { error as validator } from 'express-openapi-validator'
import { expect, test } from 'vitest'
import { Failure } from '../../../src/failure.ts'
import { createLog, logRequests } from '../../../src/http/pipeline/log.ts'

test('500: the log names the fields of a response that breaks its document, without values', async () => {
  const lines: string[] = []
  const invalid = new validator.InternalServerError({
    path: '/x',
    message: 'must be canary',
    errors: [{ path: '/response/expires_at', message: 'is canary', errorCode: 'format.openapi.validation' }],
  })
  const app = express().use(logRequests(createLog('info', { write: (line) => void lines.push(line) })))
  app.use((_req, res) => {
    res.locals['failure'] = new Failure('internal_error', { cause: invalid })
    res.status(500).end()
  })
  const server = app.listen(0)
  await once(server, 'listening')
  await fetch(`http://127.0.0.1:${(server.address() as { port: number }).port}`)
  server.close()
  expect(JSON.parse(lines.join(''))).toMatchObject({ fault: { fields: ['/response/expires_at (format)'] } })
  expect(lines.join('')).not.toContain('canary')
})
