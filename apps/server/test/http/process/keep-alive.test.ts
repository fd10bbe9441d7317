import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { createHttpServer } from '../../../src/http/process/http-server.ts'
import { requestText, sendRaw } from '../../kit/raw-http.ts'

async function startServer(settings: Record<string, string>): Promise<string> {
  const server = createHttpServer(express(), readConfig(settings)).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const send = (url: string) =>
  sendRaw(url, requestText('GET', '/', { Connection: 'keep-alive' }), { timeoutMs: 6_000 })

test('an idle connection is closed after the time of the setting', async () => {
  const { closed, elapsedMs } = await send(await startServer({ TIWALA_KEEP_ALIVE_SECONDS: '1' }))
  expect([closed, elapsedMs > 1_000]).toEqual([true, true])
})

test('by default it stays open for longer than load balancers keep theirs', async () => {
  const response = await fetch(await startServer({}))
  expect(response.headers.get('keep-alive')).toBe('timeout=620')
})
