// The public keys of an identity provider (JWKS, RFC 7517): jose's remote key set, with rules of ours.
//
// - The keys are fetched again every five minutes, and the last good ones stay in use for `keptMs` while the
//   provider cannot be reached.
// - After a failed fetch, the pauses between attempts grow from 1 s to 30 s. Tokens cannot shorten them.
// - A response is limited in size, and a set without a public key counts as a failed fetch, since with it the
//   server would refuse every token.
// - The provider's name is looked up by `network/lookup.ts`, which `fetch` cannot use.
//
// jose fetches the keys for a token with an unknown `kid`, unless it fetched them in the last 10 s, because
// every client can send such tokens. If that fetch fails, the token gets 503 (`KeysUnavailable`) instead of
// 401: the provider may have published the key since.
//
// Guarantee: a key that the provider no longer publishes is refused after five minutes, while the provider
// can be reached.
import type { LookupFunction } from 'node:net'
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'
import { startPollLoop } from '../background/poll-loop.ts'
import { reasonOf } from '../describe-error.ts'
import { fetchResponse } from '../network/fetch-response.ts'
import { createLookup } from '../network/lookup.ts'
import { readKeySet } from './read-keys.ts'

const REFRESH_EVERY_MS = 5 * 60_000
const MIN_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 30_000
const UNKNOWN_KID_PAUSE_MS = 10_000
const FETCH_TIMEOUT_MS = 5_000
const POLL_MS = 1_000

/** The server does not have the provider's keys, so it cannot decide whether a token is valid. */
export class KeysUnavailable extends Error {}

export type KeySet = { findKey: JWTVerifyGetKey; hasKeys(): boolean; refreshIfDue(): Promise<void> }
export type FetchResult = { failures: number; reason?: string }

type Options = {
  url: string
  /** How long the last good keys stay in use while the provider cannot be reached. */
  keptMs: number
  onFetched?: (result: FetchResult) => void
  /** For tests. */
  lookup?: LookupFunction
  /** Aborts a fetch that is in progress. */
  signal?: AbortSignal
}

export function createKeySet(options: Options): KeySet {
  const {
    url,
    keptMs,
    onFetched = () => {},
    lookup = createLookup({ withSearchDomains: true }),
    signal,
  } = options
  let failures = 0
  let dueAtMs = 0
  /** Also when the clock of this machine was ahead for a moment. */
  const isDue = () => {
    const nowMs = Date.now()
    return nowMs >= dueAtMs || dueAtMs > nowMs + REFRESH_EVERY_MS
  }

  async function fetchIfAllowed(
    href: string,
    init: { headers: Headers; signal: AbortSignal },
  ): Promise<Response> {
    if (failures && !isDue())
      throw new KeysUnavailable('The keys of the identity provider could not be fetched a moment ago.')
    try {
      const ended = signal ? AbortSignal.any([init.signal, signal]) : init.signal
      const headers = Object.fromEntries(init.headers)
      const keys = await readKeySet(await fetchResponse(href, { headers, lookup, signal: ended }))
      failures = 0
      dueAtMs = Date.now() + REFRESH_EVERY_MS
      onFetched({ failures })
      return Response.json(keys)
    } catch (error) {
      dueAtMs = Date.now() + Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** failures)
      failures++
      if (!signal?.aborted) onFetched({ failures, reason: fetchFailureOf(error) })
      throw new KeysUnavailable('The keys of the identity provider could not be fetched.', { cause: error })
    }
  }
  const remote = createRemoteJWKSet(new URL(url), {
    cacheMaxAge: keptMs,
    cooldownDuration: UNKNOWN_KID_PAUSE_MS,
    timeoutDuration: FETCH_TIMEOUT_MS,
    [customFetch]: fetchIfAllowed,
  })
  return {
    findKey: remote,
    hasKeys: () => remote.fresh,
    refreshIfDue: async () => {
      if (isDue()) await remote.reload().catch(() => {})
    },
  }
}

/** A key set that refreshes itself until it is stopped. */
export function startKeySet(options: Options): KeySet & { stop(): Promise<void> } {
  const stopping = new AbortController()
  const keySet = createKeySet({ ...options, signal: stopping.signal })
  const loop = startPollLoop(POLL_MS, keySet.refreshIfDue)
  return {
    ...keySet,
    stop: () => {
      stopping.abort()
      return loop.end()
    },
  }
}

/** For the log: what failed, without received data. The errors without a code are the ones above. */
const fetchFailureOf = (error: unknown): string =>
  error instanceof Error && error.constructor === Error && !('code' in error)
    ? error.message
    : reasonOf(error)
