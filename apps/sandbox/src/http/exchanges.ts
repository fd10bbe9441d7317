import { TiwalaConnectionError } from '@tiwala/transport'
import { createStore } from '../state/create-store.ts'
import { onOtherSandbox, saved } from '../state/sandbox.ts'
import { openStorage } from '../state/storage.ts'

export type Side = 'phone' | 'desk' | 'controls'
export type Message = { headers: [string, string][]; body: string }
/**
 * A request that this page sent. Without `response`: none came. `isAutomatic`: the phone sent it by itself, so
 * only the latest one is kept, and those whose value was used.
 */
export type Exchange = {
  id: number
  side: Side
  isAutomatic: boolean
  /** When the response came. */
  endedAtMs: number
  method: string
  url: string
  request: Message & { form: [string, string][] | undefined }
  response: (Message & { status: number }) | undefined
  durationMs: number
}

const MAX_EXCHANGES = 40
const KEY = 'tiwala-sandbox-exchanges'
const storage = openStorage('sessionStorage')

/** What this tab sent and received, newest first. It survives a reload, as when the citizen signs in. */
export const exchanges = createStore<Exchange[]>(read())
let count = exchanges.get()[0]?.id ?? 0
exchanges.follow(() =>
  storage.set(KEY, JSON.stringify({ sandboxId: saved.get()?.sandbox.sandbox_id, list: exchanges.get() })),
)
onOtherSandbox(() => exchanges.set([]))

function read(): Exchange[] {
  try {
    const { sandboxId, list } = JSON.parse(storage.get(KEY) ?? '{}') as {
      sandboxId: string
      list: Exchange[]
    }
    const isOwn = sandboxId === saved.get()?.sandbox.sandbox_id
    return isOwn &&
      list.every(({ id, endedAtMs, url, request }) => id && endedAtMs && URL.canParse(url) && request.headers)
      ? list
      : []
  } catch {
    return []
  }
}

/** Whether the service answered the last request. */
export const isReachable = createStore(true)

/** The page is left or reloaded: the browser then ends its requests. */
let isLeft = false
addEventListener('pagehide', () => (isLeft = true))
addEventListener('pageshow', () => (isLeft = false))

/** The error of a request without a response. The page itself ends some: that is no fault of the service. */
function noResponse(error: unknown): unknown {
  if (isStopped(error)) return error
  isReachable.set(false)
  return new TiwalaConnectionError('connection_failed', location.origin, false, error)
}
const isStopped = (error: unknown) => isLeft || (error instanceof Error && error.name === 'AbortError')

/** Whether another request carried a value of this response. */
const isUsed = ({ response }: Exchange, list: Exchange[]) =>
  list.some(({ request }) => request.form?.some(([, value]) => response?.body.includes(value)))

/** `fetch` that shows each request and its response on the page. */
export const recordedFetch =
  (side: Side, isAutomatic = false) =>
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
            isAutomatic,
            endedAtMs: Date.now(),
            method: request.method,
            url: request.url,
            request: { headers: [...request.headers], body, form },
            response,
            durationMs: Math.round(performance.now() - startedAtMs),
          },
          ...list.filter((earlier) => !(isAutomatic && earlier.isAutomatic) || isUsed(earlier, list)),
        ].slice(0, MAX_EXCHANGES),
      )
    try {
      const response = await fetch(request)
      const text = await response.clone().text()
      add({ status: response.status, headers: [...response.headers], body: text })
      isReachable.set(true)
      return response
    } catch (error) {
      if (!isStopped(error)) add(undefined)
      throw noResponse(error)
    }
  }

/** `fetch` for what the page does by itself, such as refreshing a list. It is not shown. */
export async function quietFetch(request: Request): Promise<Response> {
  try {
    const response = await fetch(request)
    isReachable.set(true)
    return response
  } catch (error) {
    throw noResponse(error)
  }
}
