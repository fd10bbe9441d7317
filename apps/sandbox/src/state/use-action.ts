import { useRef, useState } from 'preact/hooks'

/**
 * An act of the visitor: whether it runs, its error, and the function that starts it again. While it runs, it
 * is not started again, also not by a second click that comes before the page has changed.
 */
export function useAction() {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const [retry, setRetry] = useState<() => void>()
  const isRunning = useRef(false)
  const run = async (act: () => Promise<void>): Promise<void> => {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    setError(undefined)
    try {
      await act()
    } catch (thrown) {
      setError(thrown)
      setRetry(() => () => void run(act))
    }
    isRunning.current = false
    setBusy(false)
  }
  return {
    isBusy,
    error,
    run: (act: () => Promise<void>) => void run(act),
    retry,
    clear: () => setError(undefined),
  }
}
