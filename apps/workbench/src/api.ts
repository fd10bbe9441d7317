// The calls of the page. The browser sends the cookie of the session by itself; the token against requests of other sites
// is in memory only.
import { routes, type Schemas, type WorkbenchOperations } from '@tiwala/contract'
import { createTransport, type Transport } from '@tiwala/transport'

export type Session = Schemas['MemberSession']

/** The API is beside the page. */
const transport = createTransport<WorkbenchOperations>(routes.workbench, {
  baseUrl: new URL('v1', document.baseURI).href,
  maxRetries: 1,
})

let csrfToken = ''

/** `undefined`: the browser has no session. */
export async function readSession(): Promise<Session | undefined> {
  try {
    const { body } = await transport('readSession', {})
    csrfToken = body.csrf_token
    return body
  } catch (error) {
    if (isSessionOver(error)) return undefined
    throw error
  }
}

/** Calls an operation with the token of the session. */
export const api: Transport<WorkbenchOperations> = (id, input) =>
  transport(id, { ...input, headers: { ...input.headers, 'X-Csrf-Token': csrfToken } })

export const isSessionOver = (error: unknown) => (error as { code?: string }).code === 'session_required'

/** What to show of an error: what is wrong with a field, or the message. */
export function messageOf(error: unknown): string {
  const { message, fields } = error as { message: string; fields?: Record<string, string[]> }
  const first = Object.entries(fields ?? {})[0]
  return first ? `${first[0]} ${first[1].join(', ')}` : message
}
