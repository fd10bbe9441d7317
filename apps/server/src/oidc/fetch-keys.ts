import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { CallbackAddresses } from '../network/addresses.ts'
import { readKeySet } from '../network/read-keys.ts'
import { openConnections } from '../webhooks/connections.ts'

/** For the whole response. */
const TIMEOUT_MS = 2_500

/**
 * Fetches the keys of partners as events are sent to them: only from checked addresses, without redirects, and within a time.
 */
export function createFetchKeys(addresses: CallbackAddresses) {
  const { isAllowedHost, fresh } = openConnections(addresses)
  return async (input: string | URL | Request): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (!isAllowedHost(url.hostname)) throw new Error('The address is not allowed')
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = {
        agent: fresh[url.protocol as keyof typeof fresh],
        headers: { Accept: 'application/json' },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }
      send(url, options, resolve).once('error', reject).end()
    })
    return Response.json(await readKeySet(response))
  }
}
