import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { startPollLoop } from '../background/poll-loop.ts'

/** A key that the provider no longer publishes is refused after this time at the latest. */
const REFRESH_EVERY_MS = 5 * 60_000
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000
/** Anyone can send a token with an unknown `kid`, so such tokens cause at most one fetch in this time. */
const UNKNOWN_KID_PAUSE_MS = 30_000
const FETCH_WITHIN_MS = 5_000
const MOST_BYTES = 256 * 1024
const LOOK_EVERY_MS = 1_000
const PUBLIC_KEY_TYPES = new Set(['OKP', 'EC', 'RSA'])

/** The provider's keys are not known, so the server cannot say whether a token is valid. */
export class KeysUnavailable extends Error {}

export type KeySet = { findKey: JWTVerifyGetKey; refreshIfDue(): Promise<void> }
export type FetchResult = { failures: number; reason?: string }

type Options = {
  url: string
  /** How long the last good keys stay in use while the provider cannot be reached. */
  keptMs: number
  now?: () => number
  onFetched?: (result: FetchResult) => void
  /** Ends a fetch that is under way. */
  signal?: AbortSignal
}

/**
 * The public keys of an identity provider (JWKS, RFC 7517), kept in memory. They are fetched again every five minutes, and at once for an
 * unknown `kid`. A fetch that fails changes nothing: the last good keys stay in use, and the pauses between attempts grow from 1 s to 30 s.
 */
export function createKeySet({ url, keptMs, now = Date.now, onFetched = () => {}, signal }: Options): KeySet {
  let known: { findKey: JWTVerifyGetKey; fetchedAtMs: number } | undefined
  let fetching: Promise<void> | undefined
  let failures = 0
  let dueAtMs = 0
  let unknownKidAtMs = -Infinity

  const usable = () => (known && now() - known.fetchedAtMs < keptMs ? known : undefined)

  async function fetchOnce(): Promise<void> {
    try {
      known = { findKey: await fetchKeys(url, signal), fetchedAtMs: now() }
      failures = 0
      dueAtMs = now() + REFRESH_EVERY_MS
      onFetched({ failures })
    } catch (error) {
      dueAtMs = now() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures)
      failures++
      onFetched({ failures, reason: reasonOf(error) })
    }
  }
  /** Requests that need the keys at the same time share one fetch. It never rejects. */
  const refresh = () => (fetching ??= fetchOnce().finally(() => (fetching = undefined)))
  const refreshIfDue = async () => void (now() >= dueAtMs && (await refresh()))

  return {
    refreshIfDue,
    findKey: async (header, token) => {
      if (!usable()) await (fetching ?? refreshIfDue())
      const before = usable()
      if (!before) throw new KeysUnavailable('The keys of the identity provider could not be fetched.')
      try {
        return await before.findKey(header, token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        if (!fetching && now() - unknownKidAtMs >= UNKNOWN_KID_PAUSE_MS) {
          unknownKidAtMs = now()
          void refresh()
        }
        await fetching
        if (known !== before) return known!.findKey(header, token)
        // The provider may have published the key since, where the last fetch failed.
        if (failures) throw new KeysUnavailable('The keys of the identity provider could not be refreshed.', { cause: error })
        throw error
      }
    },
  }
}

/** A key set that refreshes itself until it is stopped. */
export function startKeySet(options: Options): KeySet & { stop(): Promise<void> } {
  const ending = new AbortController()
  const keySet = createKeySet({ ...options, signal: ending.signal })
  const loop = startPollLoop(LOOK_EVERY_MS, keySet.refreshIfDue)
  return {
    ...keySet,
    stop: () => {
      ending.abort()
      return loop.end()
    },
  }
}

/** Bounded in time and size. A redirect is refused, since it could lead to plain http. */
async function fetchKeys(url: string, signal?: AbortSignal): Promise<JWTVerifyGetKey> {
  const timeout = AbortSignal.timeout(FETCH_WITHIN_MS)
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { Accept: 'application/json, application/jwk-set+json' },
    signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
  })
  const text = await readBounded(response)
  if (response.status !== 200) throw new Error(`status ${response.status}`)
  return createLocalJWKSet(parseKeySet(text))
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) throw new Error(`more than ${MOST_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** A set without a public key is refused like no answer: to take it would lock every caller out. */
function parseKeySet(text: string): JSONWebKeySet {
  const parsed = parseJson(text) as Partial<JSONWebKeySet> | null
  const keys = Array.isArray(parsed?.keys) ? parsed.keys : []
  if (!keys.some((key) => PUBLIC_KEY_TYPES.has(key?.kty ?? ''))) throw new Error('no JWK set with a public key')
  return { keys }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** For the log: what failed, without the address or anything that was received. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { cause } = error
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.name
  return error.constructor === Error ? error.message : error.name
}
