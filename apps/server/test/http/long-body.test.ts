import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { routes } from '@tiwala/contract'
import type { Request, Response } from 'express'
import { expect, test } from 'vitest'
import { basePathOf } from '../../src/contract/documents.ts'
import { readLongBody } from '../../src/http/long-body.ts'

const { method, path } = routes.operator.importCitizens

/** Sends the beginning of an import. */
function sendBeginning() {
  const body = new PassThrough()
  const headers = { 'content-type': 'application/x-ndjson', 'transfer-encoding': 'chunked' }
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
