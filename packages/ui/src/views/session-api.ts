// The calls of a page whose reader has a session. The browser sends its cookie by itself; the token against requests of
// other sites is in memory only.
import { createTransport, type Transport } from '@tiwala/transport'
import { isSessionOver } from '../use-load.ts'

/** `read`: the operation that reads the session. */
export function createSessionApi<Operations, Id extends keyof Operations>(
  routes: Parameters<typeof createTransport<Operations>>[0],
  { path, read }: { path: string; read: Id },
) {
  const transport: Transport<Operations> = createTransport<Operations>(routes, {
    baseUrl: new URL(path, document.baseURI).href,
    maxRetries: 1,
  })
  let csrfToken = ''

  type Session = Awaited<ReturnType<typeof transport<Id>>>['body']

  /** `undefined`: the browser has no session. */
  async function readSession(): Promise<Session | undefined> {
    try {
      const { body } = await transport(read, {} as never)
      csrfToken = (body as { csrf_token: string | null }).csrf_token ?? ''
      return body
    } catch (error) {
      if (isSessionOver(error)) return undefined
      throw error
    }
  }

  /** Calls an operation with the token of the session. */
  const api: Transport<Operations> = (id, input) =>
    transport(id, { ...input, headers: { ...input.headers, 'X-Csrf-Token': csrfToken } })

  return { api, readSession }
}
