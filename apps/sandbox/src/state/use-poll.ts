import { useEffect, useState } from 'preact/hooks'

/**
 * Reads a value again and again while the tab is visible; also at once when `again` changes. A failed read
 * keeps the last value.
 */
export function usePoll<T>(read: () => Promise<T>, everyMs: number, again: unknown = 0): T | undefined {
  const [value, setValue] = useState<T>()
  useEffect(() => {
    let isOver = false
    const refresh = () => {
      if (document.visibilityState === 'visible')
        read().then(
          (next) => isOver || setValue(() => next),
          () => {},
        )
    }
    refresh()
    const timer = setInterval(refresh, everyMs)
    document.addEventListener('visibilitychange', refresh)
    return () => {
      isOver = true
      clearInterval(timer)
      document.removeEventListener('visibilitychange', refresh)
    }
  }, [again])
  return value
}
