// Listens at the addresses of the configuration. The errors name the setting.
import { createServer, type Server } from 'node:net'
import type { Config, Listener } from '../config.ts'

/** Listens on every address, or on none. */
export async function listen(servers: Server[], { listeners }: Config): Promise<void> {
  try {
    for (const [index, server] of servers.entries()) await listenAt(server, listeners[index]!)
  } catch (error) {
    for (const server of servers) server.close()
    throw error
  }
}

function listenAt(server: Server, { host, port, setting }: Listener): Promise<void> {
  const example = setting === 'PORT' ? 'PORT=8090' : `${setting}=127.0.0.1:8082`
  const settings = setting === 'PORT' ? 'HOST and PORT' : setting
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`Port ${port} is in use. Stop what listens there, or choose another: ${example}`, {
              cause: error,
            })
          : new Error(`Cannot listen at ${host}, port ${port} (see ${settings}).`, { cause: error }),
      ),
    )
    server.listen(port, host, () => resolve())
  })
}

/**
 * Fails if the service cannot listen at each address, before the start creates or changes anything. Not for a
 * worker: it shares the addresses with others, and would take requests of theirs.
 */
export async function requireFreeAddresses({ listeners }: Config): Promise<void> {
  const probes = listeners.map(() => createServer((socket) => socket.destroy()))
  try {
    for (const [index, probe] of probes.entries()) await listenAt(probe, listeners[index]!)
  } finally {
    await Promise.all(probes.map((probe) => new Promise((resolve) => void probe.close(resolve))))
  }
}
