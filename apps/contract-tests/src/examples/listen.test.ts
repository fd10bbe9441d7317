import { createServer } from 'node:http'
import { listen } from '@tiwala/examples/listen'
import { expect, test, vi } from 'vitest'
import { listenForFile } from '../kit/listen-for-file.ts'

test('an example listens at a free port if its usual one is taken', async () => {
  const taken = await listenForFile()
  const port = Number(new URL(taken.url).port)
  const { url, serve } = await listen(port)
  serve((_req, res) => void res.end('the example'))
  expect(url).not.toContain(String(port))
  expect(await (await fetch(url)).text()).toBe('the example')
})

test('an example listens at the port of the setting, or fails', async () => {
  const free = createServer()
  await new Promise<void>((resolve) => free.listen(0, 'localhost', resolve))
  const { port } = free.address() as { port: number }
  vi.stubEnv('PORT', String(port))
  await expect(listen(3000)).rejects.toThrow('EADDRINUSE')
  await new Promise((resolve) => free.close(resolve))
  expect((await listen(3000)).url).toBe(`http://localhost:${port}`)
  vi.unstubAllEnvs()
})
