// The documents at `/openapi/` hold the numbers of this server's settings.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { openApiDocuments } from '../../../src/http/pages/pages.ts'
import { createByteBudget } from '../../../src/http/pages/static-response.ts'

const OTHER = {
  TIWALA_QR_TTL_SECONDS: '47',
  TIWALA_RESULT_TTL_SECONDS: '7213',
  TIWALA_MAX_WAIT_SECONDS: '19',
}
const FILES = [
  'partner.json',
  'partner.yaml',
  'partner-3.0.json',
  'partner-3.0-headers.json',
  'partner.postman_collection.json',
  'partner.http',
  'citizen-app.json',
  'workbench.json',
  'operator.json',
]

async function serve(settings: Record<string, string>) {
  const config = readConfig(settings)
  const app = express().use(openApiDocuments(config.listeners[0]!, config, createByteBudget(1e9)))
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return async (name: string) => (await fetch(`http://127.0.0.1:${port}/openapi/${name}`)).text()
}

test('200: a server with other lifetimes and limits has those in its documents, and no marker', async () => {
  const read = await serve(OTHER)
  for (const name of FILES)
    expect([name, /.{0,40}(VALUE|RAW)_[A-Z].{0,20}/.exec(await read(name))]).toEqual([name, null])
  const partner = await read('partner.json')
  for (const text of ['| QR value | 47 s |', '7,213 s |', '7,213 seconds', '`Prefer: wait=19`'])
    expect([text, partner.includes(text)]).toEqual([text, true])
  expect(await read('partner-3.0.json')).toContain('7,213 seconds')
  expect(await read('partner.yaml')).toContain('| QR value | 47 s |')
})

test('200: with the default settings the documents are as written', async () => {
  expect(await (await serve({}))('partner.json')).toMatch(/\| QR value \| 60 s \|.+`Prefer: wait=25`/)
})
