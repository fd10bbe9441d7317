import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Listens at the port of the setting `PORT`. Without the setting: at the usual port of this example, or at any free
 * one if that is taken. The address is known before the application, which needs it.
 */
export async function listen(usualPort: number) {
  const setting = process.env['PORT']
  const server = setting ? await at(Number(setting)) : await at(usualPort).catch(() => at(0))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    serve: (app: RequestListener) => void server.on('request', app),
  }
}

async function at(port: number): Promise<Server> {
  const server = createServer()
  await once(server.listen(port, 'localhost'), 'listening')
  return server
}
