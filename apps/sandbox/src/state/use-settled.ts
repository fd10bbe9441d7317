import { useEffect, useState } from 'preact/hooks'

/** As long as Firefox keeps the buttons of its security dialogs inert. */
const SETTLE_MS = 1_000

/**
 * Returns false for a second after the list has changed. A card that has just appeared or moved can be under
 * the pointer by chance: the second click of a visitor who clicks twice must not answer it.
 */
export function useSettled(list: string): boolean {
  const [settled, setSettled] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setSettled(list), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [list])
  return settled === list
}
