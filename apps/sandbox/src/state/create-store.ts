import { useEffect, useState } from 'preact/hooks'

/** A value that components follow. */
export type Store<T> = {
  get(): T
  set(value: T): void
  update(change: (value: T) => T): void
  follow(listener: () => void): () => void
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial
  const listeners = new Set<() => void>()
  const set = (next: T) => {
    value = next
    for (const listener of listeners) listener()
  }
  return {
    get: () => value,
    set,
    update: (change) => set(change(value)),
    follow: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function useStore<T>(store: Store<T>): T {
  const [value, setValue] = useState(store.get())
  useEffect(() => {
    setValue(store.get())
    return store.follow(() => setValue(store.get()))
  }, [store])
  return value
}
