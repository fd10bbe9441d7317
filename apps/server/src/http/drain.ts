import type { Server, ServerResponse } from 'node:http'

const DEADLINE_MS = 10_000

export type Drain = { isDraining(): boolean; drain(): Promise<void> }

/**
 * How a server ends: what is under way is answered, and told that its connection closes, since the next request on it would be
 * cut off; who does not read its answer is cut off after a while.
 */
export function prepareDrain(server: Server): Drain {
  const answering = new Set<ServerResponse>()
  let isDraining = false
  const announceEnd = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('Connection', 'close')
  }
  server.prependListener('request', (_request, response: ServerResponse) => {
    if (isDraining) announceEnd(response)
    answering.add(response)
    response.once('close', () => {
      answering.delete(response)
      // A stream began before anybody knew of the end, and could not announce it.
      if (isDraining) server.closeIdleConnections()
    })
  })
  return {
    isDraining: () => isDraining,
    drain: async () => {
      isDraining = true
      answering.forEach(announceEnd)
      const deadline = setTimeout(() => server.closeAllConnections(), DEADLINE_MS)
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
      })
      clearTimeout(deadline)
    },
  }
}
