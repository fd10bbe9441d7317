import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { toast } from './toast.ts'

/**
 * `token_missing`: the browser has no cookie, where the operations also accept a token. `csrf_token_invalid`: another tab
 * has a newer session.
 */
export const isSessionOver = (error: unknown) =>
  ['session_required', 'token_missing', 'csrf_token_invalid'].includes(
    String((error as { code?: string }).code),
  )

/** What to show of an error: what is wrong with a field, or the message. */
export function messageOf(error: unknown): string {
  const { message, fields } = error as { message: string; fields?: Record<string, string[]> }
  const first = Object.entries(fields ?? {})[0]
  return first ? `${first[0]} ${first[1].join(', ')}` : message
}

/** Called when a response says that the session is over. */
let onSessionOver = () => {}
export const whenSessionEnds = (listener: () => void) => void (onSessionOver = listener)

type Loaded<Value> = { value: Value | undefined; error: string; isBusy: boolean; reload: () => void }

/** Loads a value when `key` changes. An earlier load that ends later is ignored. */
export function useLoad<Value>(key: string, load: () => Promise<Value>): Loaded<Value> {
  /** `of`: the key of the value. The value of another key is not shown. */
  const [state, setState] = useState<Omit<Loaded<Value>, 'reload'> & { of?: string }>({
    value: undefined,
    error: '',
    isBusy: true,
  })
  const newest = useRef(0)
  const latest = useRef({ key, load })
  latest.current = { key, load }
  // Loads for the present key, also when a long action calls it that began at another one.
  const reload = useCallback(() => {
    const { key: of, load: loadLatest } = latest.current
    const own = ++newest.current
    const set = (next: Partial<typeof state>) =>
      own === newest.current && setState((before) => ({ ...before, ...next }))
    set({ isBusy: true, error: '' })
    loadLatest().then(
      (value) => set({ value, of, isBusy: false }),
      (error: unknown) => {
        if (isSessionOver(error)) onSessionOver()
        else set({ error: messageOf(error), isBusy: false })
      },
    )
  }, [])
  useEffect(reload, [key])
  return { ...state, value: state.of === key ? state.value : undefined, reload }
}

/**
 * Runs actions one at a time, and keeps the error of the last one. While one runs, a second click begins none, also if it
 * comes before the page has changed. A question to the person is part of the action. An action returns what it did, which
 * the page says, or nothing. `reload` then reads the page again, also after an error: another person may have been faster.
 */
export function useAction(reload = () => {}) {
  const [state, setState] = useState({ isBusy: false, error: '' })
  const isRunning = useRef(false)
  const run = async (action: () => Promise<string | void>) => {
    if (isRunning.current) return toast('Another action is still running. Try again shortly.', 'warn')
    isRunning.current = true
    setState({ isBusy: true, error: '' })
    try {
      const done = await action()
      setState({ isBusy: false, error: '' })
      if (!done) return
      toast(done)
      reload()
    } catch (error) {
      if (isSessionOver(error)) return onSessionOver()
      setState({ isBusy: false, error: messageOf(error) })
      reload()
    } finally {
      isRunning.current = false
    }
  }
  return { ...state, run }
}
