// Listens at the addresses of the configuration. The errors name the setting.
import { createServer, type Server } from 'node:net'
import type { Config, Listener } from '../../config.ts'

/** Listens on every address, or on none. */
export async function listen(servers: Server[], { listeners }: Config): Promise<void> {
  try {
    for (const [index, server] of servers.entries()) await listenAt(server, listeners[index]!)
  } catch (error) {
    for (const server of servers) server.close()
    throw error
  }
}

function listenAt(server: Server, { host, port, setting, reusePort }: Listener): Promise<void> {
  const example = setting === 'PORT' ? 'PORT=8090' : `${setting}=127.0.0.1:8082`
  const settings = setting === 'PORT' ? 'HOST and PORT' : setting
  const explain = ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EADDRINUSE')
      return `Port ${port} is in use. Stop what listens there, or choose another: ${example}`
    if (code === 'ENOTSUP')
      return 'TIWALA_REUSE_PORT: this operating system cannot share a port. Give each process its own PORT.'
    return `Cannot listen at ${host}, port ${port} (see ${settings}).`
  }
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(new Error(explain(cause), { cause })))
    server.listen({ host, port, reusePort }, () => resolve())
  })
}

/**
 * Fails if the service cannot listen at each address, before the start creates or changes anything. A port
 * that processes share is not tried, because the trial would take connections from the other processes.
 */
export async function requireFreeAddresses({ listeners }: Config): Promise<void> {
  const owned = listeners.filter(({ reusePort }) => !reusePort)
  const probes = owned.map(() => createServer((socket) => socket.destroy()))
  try {
    for (const [index, probe] of probes.entries()) await listenAt(probe, owned[index]!)
  } finally {
    await Promise.all(probes.map((probe) => new Promise((resolve) => void probe.close(resolve))))
  }
}
