import { readBytes } from '../../authentication/read-keys.ts'
import { fetchResponse } from '../../network/fetch-response.ts'
import { createLookup } from '../../network/lookup.ts'

const lookup = createLookup({ withSearchDomains: true })

/**
 * `fetch` for the endpoints of an identity provider. That of the platform looks names up in threads that all look-ups
 * share (`network/lookup.ts`), and reads a response of any length. Follows no redirect.
 */
export async function fetchProvider(url: string, { method, headers, body, signal }: RequestInit) {
  const options = {
    method: method ?? 'GET',
    headers: Object.fromEntries(new Headers(headers)),
    lookup,
    ...(signal && { signal }),
  }
  const text = body instanceof URLSearchParams ? String(body) : ''
  const response = await fetchResponse(url, options, text)
  const bytes = await readBytes(response)
  const lines = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  return new Response(bytes.length ? bytes : null, { status: response.statusCode!, headers: lines })
}
