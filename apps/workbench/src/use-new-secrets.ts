import type { Schemas } from '@tiwala/contract'
import { useRef, useState } from 'preact/hooks'

type Name = Schemas['CredentialKind'] | 'webhook_secret'
/** Sends the rotation, and returns the new secret. */
type Send = (headers: { 'Idempotency-Key': string }) => Promise<string>
export type NewSecrets = ReturnType<typeof useNewSecrets>

/** The service keeps a response for 15 minutes. After that, a request with the same key rotates again. */
const KEY_KEPT_MS = 10 * 60_000

/**
 * The new secrets until the person hides them, and the key of each rotation until its response arrives. A
 * component that stays until the session ends calls it, because a view loses its state when the person leaves it.
 */
export function useNewSecrets() {
  const [shown, setShown] = useState<Partial<Record<Name, string>>>({})
  const keys = useRef(new Map<string, { key: string; madeAt: number }>()).current
  const show = (name: Name, secret: string) => setShown((before) => ({ ...before, [name]: secret }))
  const keptKey = (rotation: string) => {
    const kept = keys.get(rotation)
    return kept && Date.now() - kept.madeAt < KEY_KEPT_MS ? kept.key : undefined
  }

  /** Without a response, the person repeats it: the service sends the same secret, and ends no other one. */
  const isRepeated = (name: Name, graceDays: number) => keptKey(`${name} ${graceDays}`) !== undefined

  async function rotate(name: Name, graceDays: number, send: Send): Promise<void> {
    const rotation = `${name} ${graceDays}`
    let key = keptKey(rotation)
    if (!key) {
      key = crypto.getRandomValues(new Uint32Array(4)).join('-')
      keys.set(rotation, { key, madeAt: Date.now() })
    }
    try {
      show(name, await send({ 'Idempotency-Key': key }))
      keys.delete(rotation)
    } catch (error) {
      const { status = 0 } = error as { status?: number }
      // The service refused it and rotated nothing. Only 429 can also be the response to a repetition.
      if (status >= 400 && status < 500 && status !== 429) keys.delete(rotation)
      throw error
    }
  }

  return { shown, hide: (name: Name) => show(name, ''), isRepeated, rotate }
}
