import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { Readable } from 'node:stream'
import type { CallbackAddresses } from '../network/addresses.ts'
import { openConnections } from '../webhooks/connections.ts'

/**
 * Fetches the keys of partners as events are sent to them: only from checked addresses, without redirects, and with a
 * bounded number of bytes.
 */
export function createFetchKeys(addresses: CallbackAddresses) {
  const { isAllowedHost, fresh } = openConnections(addresses)
  return async (input: string | URL | Request, { signal }: RequestInit = {}): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (!isAllowedHost(url.hostname)) throw new Error('The address is not allowed')
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = {
        agent: fresh[url.protocol as keyof typeof fresh],
        headers: { Accept: 'application/json' },
        ...(signal && { signal }),
      }
      send(url, options, resolve).once('error', reject).end()
    })
    return new Response(Readable.toWeb(response) as ReadableStream, { status: response.statusCode ?? 502 })
  }
}
