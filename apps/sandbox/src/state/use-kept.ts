import { useState } from 'preact/hooks'
import { openStorage } from './storage.ts'

const storage = openStorage('sessionStorage')

/** What this tab shows of several things. It survives a reload. */
export function useKept<Value extends string>(
  name: string,
  options: Readonly<Record<Value, unknown>>,
  initial: Value,
): [Value, (value: Value) => void] {
  const key = `tiwala-sandbox-shown-${name}`
  const [value, setValue] = useState<Value>(() => {
    const kept = storage.get(key)
    return kept && Object.hasOwn(options, kept) ? (kept as Value) : initial
  })
  return [
    value,
    (next) => {
      storage.set(key, next)
      setValue(next)
    },
  ]
}
