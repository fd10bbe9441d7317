import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationId } from '@tiwala/contract'
import { bodyOf } from './body-forms.ts'
import type { Users } from './users.ts'
import type { RequestParts } from './valid-requests.ts'

const TRIES = 5
const PAUSE_MS = 200

/**
 * Sends a request, and reads its response. On a busy machine the server may be overloaded and respond 503,
 * which uses nothing up: then the request is sent again.
 */
export async function sendParts(
  { send }: Pick<Users, 'send'>,
  id: OperationId,
  { headers, query, path, ...content }: RequestParts & { raw?: string },
): Promise<{ status: number; text: string }> {
  const { body, headers: type } = bodyOf(content)
  for (let tries = 1; ; tries++) {
    const response = await send(id, {
      headers: { ...type, ...headers },
      ...(query && { query }),
      ...(path && { path }),
      ...(body !== undefined && { body }),
    })
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    if (isStream) await response.body!.cancel()
    const text = isStream ? '' : await response.text()
    if (response.status !== 503 || tries === TRIES) return { status: response.status, text }
    await sleep(PAUSE_MS)
  }
}
