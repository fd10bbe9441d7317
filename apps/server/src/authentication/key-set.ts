// The public keys of an identity provider (JWKS, RFC 7517), cached in memory.
//
// - Every five minutes the keys are fetched again.
// - A token with an unknown `kid` causes a fetch, at most one in 30 s, because every client can send such
//   tokens.
// - A fetch that fails changes nothing: the last good keys stay in use for `keptMs`. The pauses between
//   attempts grow from 1 s to 30 s.
// - Requests that need keys at the same time share one fetch.
//
// States:
// - no usable keys: never fetched, or the last success was `keptMs` ago. Each token fails with
//   `KeysUnavailable` (503).
// - usable keys, last fetch succeeded: a token with an unknown `kid` is not valid (401).
// - usable keys, last fetch failed: a token with a known `kid` is checked. An unknown `kid` fails with
//   `KeysUnavailable` (503), because the provider may have published the key since.
//
// Example: the provider rotates its keys and signs a token with the new one. Its `kid` is unknown, so the
// server fetches the keys, finds the key, and accepts the token.
//
// Guarantee: a key that the provider no longer publishes is refused after five minutes, while the provider
// can be reached.
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { startPollLoop } from '../background/poll-loop.ts'
import { reasonOf } from '../describe-error.ts'

const REFRESH_EVERY_MS = 5 * 60_000
const MIN_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 30_000
const UNKNOWN_KID_PAUSE_MS = 30_000
const FETCH_TIMEOUT_MS = 5_000
const MAX_BYTES = 256 * 1024
const POLL_MS = 1_000
const PUBLIC_KEY_TYPES = new Set(['OKP', 'EC', 'RSA'])

/** The server does not have the provider's keys, so it cannot decide whether a token is valid. */
export class KeysUnavailable extends Error {}

export type KeySet = { findKey: JWTVerifyGetKey; hasKeys(): boolean; refreshIfDue(): Promise<void> }
export type FetchResult = { failures: number; reason?: string }

type Options = {
  url: string
  /** How long the last good keys stay in use while the provider cannot be reached. */
  keptMs: number
  now?: () => number
  onFetched?: (result: FetchResult) => void
  /** Aborts a fetch that is in progress. */
  signal?: AbortSignal
}

export function createKeySet({ url, keptMs, now = Date.now, onFetched = () => {}, signal }: Options): KeySet {
  let keys: { findKey: JWTVerifyGetKey; fetchedAtMs: number } | undefined
  let fetching: Promise<void> | undefined
  let failures = 0
  let dueAtMs = 0
  let unknownKidAtMs = -Infinity

  const usable = () => (keys && now() - keys.fetchedAtMs < keptMs ? keys : undefined)

  async function fetchOnce(): Promise<void> {
    try {
      keys = { findKey: createLocalJWKSet(await fetchKeys(url, signal)), fetchedAtMs: now() }
      failures = 0
      dueAtMs = now() + REFRESH_EVERY_MS
      onFetched({ failures })
    } catch (error) {
      if (signal?.aborted) return
      dueAtMs = now() + Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** failures)
      failures++
      onFetched({ failures, reason: fetchFailureOf(error) })
    }
  }
  /** Never rejects. */
  const refresh = () => (fetching ??= fetchOnce().finally(() => (fetching = undefined)))
  const refreshIfDue = async () => void (now() >= dueAtMs && (await refresh()))

  return {
    hasKeys: () => usable() !== undefined,
    refreshIfDue,
    findKey: async (header, token) => {
      if (!usable()) await refreshIfDue()
      const current = usable()
      if (!current) throw new KeysUnavailable('The keys of the identity provider are not available.')
      try {
        return await current.findKey(header, token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        if (!fetching && now() - unknownKidAtMs >= UNKNOWN_KID_PAUSE_MS) {
          unknownKidAtMs = now()
          void refresh()
        }
        await fetching
        if (keys !== current) return keys!.findKey(header, token)
        if (failures)
          throw new KeysUnavailable('The keys of the identity provider could not be refreshed.', {
            cause: error,
          })
        throw error
      }
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

/** The fetch is limited in time and size. A redirect is refused, since it could lead to plain http. */
export async function fetchKeys(url: string, signal?: AbortSignal): Promise<JSONWebKeySet> {
  const timeout = AbortSignal.timeout(FETCH_TIMEOUT_MS)
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { Accept: 'application/json, application/jwk-set+json' },
    signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
  })
  const text = await readBounded(response)
  if (response.status !== 200) throw new Error(`status ${response.status}`)
  return parseKeySet(text)
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw new Error(`more than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** A set without a public key counts as a failed fetch, since with it the server would refuse every token. */
function parseKeySet(text: string): JSONWebKeySet {
  const parsed = parseJson(text) as Partial<JSONWebKeySet> | null
  const keys = Array.isArray(parsed?.keys) ? parsed.keys : []
  if (!keys.some((key) => PUBLIC_KEY_TYPES.has(key?.kty ?? '')))
    throw new Error('no JWK set with a public key')
  return { keys }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** For the log: what failed, without received data. The texts of plain errors are the ones above. */
export const fetchFailureOf = (error: unknown): string =>
  error instanceof Error && error.constructor === Error ? error.message : reasonOf(error)
