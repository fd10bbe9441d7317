import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { routes } from '@tiwala/contract'
import type { Request, Response } from 'express'
import { expect, test } from 'vitest'
import { basePathOf } from '../../../src/contract/documents.ts'
import { readLongBody } from '../../../src/http/pipeline/body.ts'
import { startServiceForFile } from '../../kit/api-client.ts'
import { emptyGzip } from '../../kit/empty-gzip.ts'
import { requestText, sendRaw } from '../../kit/raw-http.ts'

const { method, path } = routes.operator.importCitizens

/** Sends the beginning of an import. */
function sendBeginning(more = {}) {
  const body = new PassThrough()
  const headers = { 'content-type': 'application/x-ndjson', 'transfer-encoding': 'chunked', ...more }
  const request = Object.assign(body, {
    method: method.toUpperCase(),
    baseUrl: basePathOf('operator'),
    path,
    headers,
  })
  const response = new EventEmitter()
  const outcome = new Promise<unknown>((resolve, reject) => {
    try {
      void readLongBody(request as unknown as Request, response as unknown as Response, resolve)
    } catch (error) {
      reject(error)
    }
  })
  return { body, outcome, close: () => response.emit('close') }
}

test('503: beyond four long bodies at once, until one of them is done', async () => {
  const imports = Array.from({ length: 4 }, sendBeginning)
  await expect(sendBeginning().outcome).rejects.toMatchObject({
    code: 'unavailable',
    headers: { 'Retry-After': '5' },
  })
  imports[0]!.body.end('{}')
  expect(await imports[0]!.outcome).toBeUndefined()
  imports[0]!.close()
  const next = sendBeginning()
  next.body.end('{}')
  expect(await next.outcome).toBeUndefined()
  for (const { close } of [next, ...imports.slice(1)]) close()
})

test('413: a compressed import has no end, and contains nothing', async () => {
  const { body, outcome, close } = sendBeginning({ 'content-encoding': 'gzip' })
  body.write(emptyGzip(9 * 2 ** 20))
  expect(await outcome).toMatchObject({ code: 'payload_too_large' })
  close()
})

test('200: an import after many whose senders went away during the authentication', async () => {
  const { service, api } = await startServiceForFile()
  const { Authorization } = api.asOperator
  const send = (thenEndMs?: number) => {
    const headers = { Authorization, 'Content-Type': 'application/x-ndjson', 'Content-Length': 2 }
    const text = requestText(method.toUpperCase(), basePathOf('operator') + path, headers, '{}')
    return sendRaw(service.url, text, { ...(thenEndMs !== undefined && { thenEndMs }), timeoutMs: 10_000 })
  }
  for (let round = 0; round < 20; round++) await Promise.all([0, 1, 2, 3].map(send))
  expect((await send()).response?.status).toBe(200)
})
