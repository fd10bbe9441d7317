import { readKeySet } from '../authentication/read-keys.ts'
import { createWindowCounter } from '../limits/window-counter.ts'
import type { CallbackAddresses } from '../network/addresses.ts'
import { fetchResponse } from '../network/fetch-response.ts'
import { openConnections } from '../webhooks/connections.ts'

/** For the whole response. */
const TIMEOUT_MS = 2_500
const WINDOW_MS = 10_000

/**
 * Fetches the keys of partners as events are sent to them: only from checked addresses, without redirects, and within a
 * time. Anyone who names a partner causes a fetch, so after a failure there is no other one in the same window.
 */
export function createFetchKeys(addresses: CallbackAddresses) {
  const { isAllowedHost, fresh } = openConnections(addresses)
  const failures = createWindowCounter(WINDOW_MS)

  async function fetchKeys(url: URL): Promise<Response> {
    if (!isAllowedHost(url.hostname)) throw new Error('The address is not allowed')
    const response = await fetchResponse(url, {
      agent: fresh[url.protocol as keyof typeof fresh],
      headers: { Accept: 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return Response.json(await readKeySet(response))
  }

  return async (input: string | URL | Request): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (failures.count(url.href, 0) > 0) throw new Error('The keys could not be fetched a moment ago')
    return fetchKeys(url).catch((error: unknown) => {
      failures.count(url.href)
      throw error
    })
  }
}
