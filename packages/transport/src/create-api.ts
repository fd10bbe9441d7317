// openapi-fetch with the generated types of one document, and the middleware that all our clients share: hooks,
// time-outs, retries and errors. The middleware sends the request itself, because each attempt has its own
// time-out and its own events, and because a response counts only when its whole body has arrived.
import type { ResponseShape } from '@tiwala/contract/partner'
import createClient, { type Client as Api } from 'openapi-fetch'
import { assertNumber } from './assert-number.ts'
import { callHook, type Hooks, responseEvent } from './events.ts'
import { hasShape } from './response-shape.ts'
import { pause, pauseBeforeRetryMs } from './retry.ts'
import { TiwalaConnectionError } from './tiwala-connection-error.ts'
import { TiwalaError } from './tiwala-error.ts'

/** What the middleware knows of a document, by operationId. */
export type Contract = {
  routes: Readonly<Record<string, Route>>
  /** What a success must have. The responses of an operation without an entry are not checked. */
  responses?: Readonly<Record<string, ResponseShape>>
  /**
   * The operations that are safe to repeat for a limited time after the first attempt, in milliseconds. A POST without an
   * entry is not safe to repeat. As HTTP defines it, the other methods are.
   */
  repeatableMs?: Readonly<Record<string, number>>
}
export type { Api }
export type Route = { method: 'get' | 'put' | 'post' | 'delete' | 'patch'; path: string }

export type TransportOptions = Hooks & {
  /** The address of the API. Slashes at its end make no difference. */
  baseUrl: string
  /** Headers that every request carries. */
  headers?: Record<string, string>
  /**
   * Replaces the `fetch` of the platform, for a proxy or for instrumentation. It must pass both arguments on. The one of
   * another package, such as undici, takes `request` for an address, and reads the rest from `init`. The one of React
   * answers a repeated GET of one rendering from its memory, unless it gets the `signal` of `init`.
   */
  fetch?: (request: Request & string, init: FetchInit) => Promise<FetchResponse>
  /**
   * How long one attempt may take, in milliseconds, in addition to the time that you ask the service to wait.
   * Default: 15,000. A fraction is rounded up. A request that takes longer rejects with a `TiwalaConnectionError`.
   */
  timeoutMs?: number
  /** How often a request that is safe to repeat is repeated after a temporary error. Default: 0. */
  maxRetries?: number
}

/** The request again, in the types that every implementation of `fetch` accepts. */
export type FetchInit = {
  method: string
  headers: [string, string][]
  body: string | null
  redirect: 'manual'
  cache: 'no-store'
  signal: AbortSignal
}
/** The parts of a response that every implementation of `fetch` has. */
export type FetchResponse = {
  status: number
  statusText: string
  headers: { forEach(callback: (value: string, name: string) => void): void }
  text(): Promise<string>
}

/** The limits of one call. openapi-fetch hands what its `init` has beyond a `RequestInit` to the middleware. */
export type CallLimits = Pick<TransportOptions, 'timeoutMs' | 'maxRetries'>

/** A longer timer fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * The client of a document. A call resolves only if the response is a success: it rejects with a `TiwalaError`
 * for any other response, with a `TiwalaConnectionError` if there is no response, and with the reason of the
 * signal.
 */
export function createApi<Paths extends object>(
  contract: Contract,
  {
    baseUrl,
    headers,
    fetch,
    timeoutMs: usualTimeoutMs = 15_000,
    maxRetries: usualRetries = 0,
    ...hooks
  }: TransportOptions,
): Api<Paths> {
  const { routes, responses = {}, repeatableMs = {} } = contract
  assertLimits(usualTimeoutMs, usualRetries)
  const api = createClient<Paths>({
    baseUrl: baseUrl.replace(/\/+$/, ''),
    // The service never redirects. `fetch` would send our secrets to the target of another server's redirect.
    redirect: 'manual',
    // A framework may replace `fetch` by one that stores personal data, and answers from there.
    cache: 'no-store',
    headers: { Accept: 'application/json', ...headers },
  })

  /** Sends a request once. Rejects with an error of ours, or with the reason of the signal. */
  async function send(request: Request, timeoutMs: number, isRepeatable: () => boolean, operation: string) {
    const timeout = AbortSignal.timeout(
      Math.min(Math.ceil(timeoutMs) + preferredWaitMs(request), MAX_TIMER_MS),
    )
    const signal = AbortSignal.any([request.signal, timeout])
    const attempt = new Request(request.clone(), { signal })
    const receive = async () => {
      const response = await (fetch
        ? sendBy(fetch, attempt, signal)
        : // Read for each request, since a test or instrumentation may replace it after the client was made.
          // React's `fetch` answers a repeated GET of one rendering from memory, unless it gets a signal here.
          globalThis.fetch(attempt, { signal }))
      return [response, await response.text()] as const
    }
    const [response, text] = await receive().catch((cause: unknown) => {
      request.signal.throwIfAborted()
      // Read from the attempt, so that the attempt is kept until its body has ended. Collected as garbage before that,
      // it would no longer pass the time-out to fetch, and a body that stops would be awaited without end.
      const code = attempt.signal.aborted ? 'timeout' : 'connection_failed'
      throw new TiwalaConnectionError(code, baseUrl, isRepeatable(), cause, operation)
    })
    const body = parseJson(text)
    if (!response.ok || body === undefined || !isDocumented(response, body, responses[operation]))
      throw new TiwalaError(response, body, isRepeatable(), operation)
    return new Response(text, response)
  }

  api.use({
    async onRequest({ request, schemaPath: path }) {
      const {
        method,
        signal,
        timeoutMs = usualTimeoutMs,
        maxRetries = usualRetries,
      } = request as Request & CallLimits
      assertLimits(timeoutMs, maxRetries)
      const isRoute = (id: string) => routes[id]!.path === path && routes[id]!.method === method.toLowerCase()
      const operation = Object.keys(routes).find(isRoute)!
      const lastStartMs = performance.now() + (repeatableMs[operation] ?? Infinity)
      const isRepeatable = () =>
        (method !== 'POST' || operation in repeatableMs) && performance.now() <= lastStartMs
      for (let attempt = 1; ; attempt++) {
        signal.throwIfAborted()
        const event = { operation, method, path, attempt }
        const startedAtMs = performance.now()
        void callHook(hooks.onRequest, event)
        const outcome: unknown = await send(request, timeoutMs, isRepeatable, operation).catch(
          (error: unknown) => error,
        )
        const endedAtMs = performance.now()
        const durationMs = Math.round(endedAtMs - startedAtMs)
        void callHook(hooks.onResponse, responseEvent(event, outcome, durationMs))
        if (outcome instanceof Response) return outcome
        const pauseMs = attempt <= maxRetries ? pauseBeforeRetryMs(outcome, attempt) : undefined
        if (pauseMs === undefined || endedAtMs + pauseMs > lastStartMs) throw outcome
        await pause(pauseMs, signal)
      }
    },
  })
  return api
}

/**
 * Calls the `fetch` of the caller. That of another implementation, such as the one of the package undici, does not
 * know the `Request` of the platform: it takes it for an address, and reads the rest from the second argument. Its
 * response is not a `Response` of the platform.
 */
async function sendBy(
  fetch: NonNullable<TransportOptions['fetch']>,
  request: Request,
  signal: AbortSignal,
): Promise<Response> {
  const { method, headers, url } = request
  const body = (await request.clone().text()) || null
  Object.defineProperty(request, 'toString', { value: () => url })
  const receive = async () => {
    signal.throwIfAborted()
    const response = await fetch(request as Request & string, {
      method,
      headers: [...headers],
      body,
      redirect: 'manual',
      cache: 'no-store',
      signal,
    })
    const { status, statusText } = response
    const received = new Headers()
    response.headers.forEach((value, name) => received.append(name, value))
    return new Response((await response.text()) || null, { status, statusText, headers: received })
  }
  return untilAborted(receive(), signal)
}

/** Rejects as soon as the signal aborts, also if the work goes on. */
const untilAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort)
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })

function assertLimits(timeoutMs: number, maxRetries: number): void {
  assertNumber('timeoutMs', timeoutMs, 1, MAX_TIMER_MS)
  assertNumber('maxRetries', maxRetries, 0)
}

/** The time that the service may wait before it answers (RFC 7240). */
const preferredWaitMs = ({ headers }: Request): number =>
  Number(/^wait=(\d+)/.exec(headers.get('prefer') ?? '')?.[1] ?? 0) * 1000

/** The types hold only if the response has the fields of the contract and the headers of the service. */
const isDocumented = ({ headers }: Response, body: unknown, shape: ResponseShape | undefined): boolean =>
  !shape || (shape.headers.every((name) => headers.has(name)) && hasShape(body, shape.body))

/** Returns `undefined` if the text is not JSON. Such a response is not from the service, but from a proxy. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
