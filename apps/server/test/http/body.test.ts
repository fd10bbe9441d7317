// Bodies that end early, are announced too long, or contain nothing.
import { PassThrough } from 'node:stream'
import type { Request, Response } from 'express'
import { expect, test } from 'vitest'
import { readBody } from '../../src/http/body.ts'
import { locate, startServiceForFile } from '../kit/api-client.ts'
import { requestText, sendRaw } from '../kit/raw-http.ts'

const { service } = await startServiceForFile()

test('400: the body of a GET request is cut off', async () => {
  const req = Object.assign(new PassThrough(), { method: 'GET', headers: { 'content-length': '9' } })
  const result = new Promise((resolve) => readBody[0]!(req as unknown as Request, {} as Response, resolve))
  req.destroy(new Error('aborted'))
  expect(await result).toMatchObject({ code: 'malformed_request', message: 'The body was cut off' })
})

test('413: a body that is announced too long is refused before it arrives', async () => {
  const { path } = locate('generateToken')
  const headers = { 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': 17_000 }
  const { response } = await sendRaw(service.url, requestText('POST', path, headers))
  expect(response?.status).toBe(413)
})

test('422: a blank JSON body lacks each field', async () => {
  const { path } = locate('generateToken')
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(service.url + path, { method: 'POST', headers, body: ' ' })
  expect(response.status).toBe(422)
  expect(Object.keys(((await response.json()) as { errors: object }).errors).toSorted()).toEqual([
    'exchange_code',
    'partner_code',
    'partner_secret',
    'scope',
  ])
})
