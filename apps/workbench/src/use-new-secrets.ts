import type { Schemas } from '@tiwala/contract'
import { useRef, useState } from 'preact/hooks'

type Name = Schemas['CredentialKind'] | 'webhook_secret'
/** Sends the rotation, and returns the new secret. */
type Send = (headers: { 'Idempotency-Key': string }) => Promise<string>
export type NewSecrets = ReturnType<typeof useNewSecrets>

/** The service keeps a response for at least 10 minutes. Later, a request with the same key rotates again. */
const KEY_KEPT_MS = 9 * 60_000

/**
 * The new secrets until the person hides them, and the key of each rotation until its response arrives. A
 * component that stays until the session ends calls it, because a view loses its state when the person leaves it.
 */
export function useNewSecrets() {
  const [shown, setShown] = useState<Partial<Record<Name, string>>>({})
  /** Of the last rotation of each secret. The response to an earlier one has a secret that may have ended. */
  const keys = useRef(new Map<Name, { key: string; graceDays: number; madeAt: number }>()).current
  const show = (name: Name, secret: string) => setShown((before) => ({ ...before, [name]: secret }))
  const keptKey = (name: Name, graceDays: number) => {
    const kept = keys.get(name)
    return kept?.graceDays === graceDays && Date.now() - kept.madeAt < KEY_KEPT_MS ? kept.key : undefined
  }

  /** Without a response, the person repeats it: if the service rotated, it sends the same secret, and ends no other one. */
  const isRepeated = (name: Name, graceDays: number) => keptKey(name, graceDays) !== undefined

  async function rotate(name: Name, graceDays: number, send: Send): Promise<void> {
    let key = keptKey(name, graceDays)
    if (!key) {
      key = crypto.getRandomValues(new Uint32Array(4)).join('-')
      keys.set(name, { key, graceDays, madeAt: Date.now() })
    }
    try {
      show(name, await send({ 'Idempotency-Key': key }))
      keys.delete(name)
    } catch (error) {
      const { status = 0 } = error as { status?: number }
      // The service refused it and rotated nothing. Only 429 can also be the response to a repetition.
      if (status >= 400 && status < 500 && status !== 429) keys.delete(name)
      throw error
    }
  }

  /** After a secret was revoked, a repetition could show it as a new one. */
  const forget = (name: Name) => keys.delete(name)

  return { shown, hide: (name: Name) => show(name, ''), isRepeated, rotate, forget }
}
