import { useState } from 'preact/hooks'

/** An act of the visitor: whether it runs, its error, and the function that starts it again. */
export function useAct() {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const [retry, setRetry] = useState<() => void>()
  const run = async (act: () => Promise<void>): Promise<void> => {
    setBusy(true)
    setError(undefined)
    try {
      await act()
    } catch (thrown) {
      setError(thrown)
      setRetry(() => () => void run(act))
    }
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
