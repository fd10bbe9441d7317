// `tiwala dead-letter replay` sends batches until none of the selection remains.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { expect, inject, test } from 'vitest'
import { tiwala, tiwalaJson } from './tiwala.ts'

test('one batch after another, with the same selection, until none remains', async () => {
  const batches = [
    { replayed: 500, has_more: true },
    { replayed: 500, has_more: true },
    { replayed: 7, has_more: false },
  ]
  const bodies: unknown[] = []
  const server = createServer(async (req, res) => {
    bodies.push(await json(req))
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(batches.shift()))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${new URL(inject('operatorUrl')).pathname}`
  const argv = ['dead-letter', 'replay', '--partner-code', 'HOTEL', '--type', 'webhook.test', '--url', url]
  const { exitCode, stdout } = await tiwala(argv)
  server.close()
  expect([exitCode, stdout]).toEqual([0, '1007 events are pending again.\n'])
  const body = { partner_code: 'HOTEL', type: 'webhook.test', limit: 500 }
  expect(bodies).toEqual([body, body, body])
})

test('nothing to send is no fault', async () => {
  expect(await tiwalaJson('dead-letter', 'replay')).toEqual({ replayed: 0 })
})
