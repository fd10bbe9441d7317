import { createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { listen, requireFreeAddresses } from '../../../src/http/process/listen.ts'
import { freePort } from '../../../src/testing/free-port.ts'

const servers: ReturnType<typeof createServer>[] = []
afterEach(() => servers.splice(0).forEach((server) => server.close()))

async function start(config: ReturnType<typeof readConfig>) {
  const server = createServer()
  servers.push(server)
  await requireFreeAddresses(config)
  await listen([server], config)
}

test('two processes share a port with TIWALA_REUSE_PORT, and only then', async () => {
  const PORT = String(await freePort())
  const shared = readConfig({ PORT, TIWALA_REUSE_PORT: 'true' })
  await start(shared)
  await start(shared)
  await expect(start(readConfig({ PORT }))).rejects.toThrow(`Port ${PORT} is in use.`)
})
