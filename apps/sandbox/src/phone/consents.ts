// The requests that the phone shows. They follow the event stream of the citizen app API while the tab is
// visible: a browser has few connections to one server, and every tab needs one.
import type { Schemas } from '@tiwala/contract'
import { routes } from '@tiwala/contract'
import { useEffect, useState } from 'preact/hooks'
import { citizenUrl, phoneOf } from '../http/clients.ts'
import { quietFetch } from '../http/exchanges.ts'
import { advancedSeconds } from '../state/begin.ts'
import { createStore, useStore } from '../state/create-store.ts'

/** Raised when something on the phone has changed, so that lists are read again. */
export const phoneChanges = createStore(0)

/** Whether a request waits on the phone. */
export const isAsked = createStore(false)

const RECONNECT_MS = 2_000

/** `readAtMs`: when the request had its `age_seconds`. */
export type Consent = Schemas['ConsentRequest'] & { readAtMs: number }

const readNow = (consent: Schemas['ConsentRequest']): Consent => ({ ...consent, readAtMs: Date.now() })

/** The requests of a citizen, newest first. Undefined until they were read. */
export function useConsents(token: string): Consent[] | undefined {
  const [read, setRead] = useState<{ token: string; list: Consent[] }>()
  const changes = useStore(phoneChanges)
  const advanced = useStore(advancedSeconds)
  const [failures, setFailures] = useState(0)
  useEffect(() => followEvents(token, () => phoneChanges.update((count) => count + 1)), [token])
  useEffect(() => {
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    phoneOf(token, 'never')('listAuthorizations', { query: { limit: 20 } }).then(
      ({ body }) => isOver || setRead({ token, list: body.authorizations.map(readNow) }),
      // The next event can come after the end of the request that this one announced.
      () => {
        if (!isOver) timer = setTimeout(() => setFailures((count) => count + 1), RECONNECT_MS)
      },
    )
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [token, changes, advanced, failures])
  return read?.token === token ? read.list : undefined
}

/** Runs `onEvent` at each event of the citizen, until the returned function is called. */
function followEvents(token: string, onEvent: () => void): () => void {
  let isOver = false
  let connection = new AbortController()
  const follow = async () => {
    while (!isOver) {
      if (document.visibilityState === 'visible') {
        connection = new AbortController()
        await readStream(token, onEvent, connection.signal).catch(() => {})
        if (!isOver) onEvent()
      }
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS))
    }
  }
  const stopHidden = () => document.visibilityState === 'hidden' && connection.abort()
  document.addEventListener('visibilitychange', stopHidden)
  void follow()
  return () => {
    isOver = true
    connection.abort()
    document.removeEventListener('visibilitychange', stopHidden)
  }
}

async function readStream(token: string, onEvent: () => void, signal: AbortSignal): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' }
  const { body } = await quietFetch(
    new Request(citizenUrl() + routes['citizen-app'].streamEvents.path, { headers, signal }),
  )
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    if (value.includes('data:')) onEvent()
  }
}
