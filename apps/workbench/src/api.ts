// The calls of the page. The browser sends the cookie of the session by itself; the token against requests of other sites
// is in memory only.
import { routes, type Schemas, type WorkbenchOperations } from '@tiwala/contract'
import { createTransport, type Transport } from '@tiwala/transport'
import { isSessionOver } from '@tiwala/ui/load'

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
