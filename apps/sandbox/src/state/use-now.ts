import { useEffect, useState } from 'preact/hooks'

/** The time. The component is rendered again after each `everyMs`. */
export function useNow(everyMs: number): number {
  const [, setNow] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return Date.now()
}
