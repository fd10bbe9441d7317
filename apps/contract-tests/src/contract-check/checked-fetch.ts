import { checkStreamBlock, eventBlocks } from './event-stream.ts'
import type { Findings } from './facts.ts'
import { checkResponse, isOfApi } from './responses.ts'

type Options = {
  isChecked: (origin: string) => boolean
  /** Throws when there are violations. */
  report: (findings: Findings) => void
  onRefusal?: (refusal: string) => void
}

/** A `fetch` that checks every response of the API, and every event of its streams. */
export function checkedFetch(
  fetch: typeof globalThis.fetch,
  { isChecked, report, onRefusal }: Options,
): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const { origin, pathname } = new URL(response.url)
    if (!isChecked(origin) || !isOfApi(pathname)) return response
    const { status, headers } = response
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
    const exchange = { method, pathname, status, headers: new Map(headers) }
    if (headers.get('content-type')?.startsWith('text/event-stream')) {
      report(checkResponse({ ...exchange, body: undefined }))
      const onBlock = (block: string) => report(checkStreamBlock(block))
      return new Response(response.body!.pipeThrough(eventBlocks(onBlock)), response)
    }
    // Reading the body and giving it a new response takes half the time of `clone`.
    const body = method === 'HEAD' || !response.body ? undefined : await response.text()
    if (status >= 400) onRefusal?.(`${method} ${pathname}: ${body}`)
    report(checkResponse({ ...exchange, body }))
    return new Response(body, response)
  }
}
