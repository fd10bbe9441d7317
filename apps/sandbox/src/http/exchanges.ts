import { createStore } from '../state/store.ts'

export type Side = 'phone' | 'desk' | 'controls'
export type Message = { headers: [string, string][]; body: string }
/** A request that this page sent. Without `response`: none came. */
export type Exchange = {
  id: number
  side: Side
  method: string
  url: string
  request: Message & { form: [string, string][] | undefined }
  response: (Message & { status: number }) | undefined
  durationMs: number
}

const MAX_EXCHANGES = 40
let count = 0

/** What this page sent and received, newest first. */
export const exchanges = createStore<Exchange[]>([])
/** Whether the service answered the last request. */
export const isReachable = createStore(true)

/** `fetch` that shows each request and its response on the page. */
export const recordedFetch =
  (side: Side) =>
  async (request: Request): Promise<Response> => {
    const startedAtMs = performance.now()
    const sent = request.clone()
    const isForm = request.headers.get('content-type')?.startsWith('multipart/') ?? false
    const form = isForm
      ? [...(await sent.formData())].map(([name, value]): [string, string] => [name, value as string])
      : undefined
    const body = form ? '' : await sent.text()
    const add = (response: Exchange['response']) =>
      exchanges.update((list) =>
        [
          {
            id: ++count,
            side,
            method: request.method,
            url: request.url,
            request: { headers: [...request.headers], body, form },
            response,
            durationMs: Math.round(performance.now() - startedAtMs),
          },
          ...list,
        ].slice(0, MAX_EXCHANGES),
      )
    try {
      const response = await fetch(request)
      const text = await response.clone().text()
      add({ status: response.status, headers: [...response.headers], body: text })
      isReachable.set(true)
      return response
    } catch (error) {
      add(undefined)
      if (error instanceof TypeError) isReachable.set(false)
      throw error
    }
  }

/** `fetch` for what the page does by itself, such as refreshing a list. It is not shown. */
export async function quietFetch(request: Request): Promise<Response> {
  try {
    const response = await fetch(request)
    isReachable.set(true)
    return response
  } catch (error) {
    if (error instanceof TypeError) isReachable.set(false)
    throw error
  }
}
