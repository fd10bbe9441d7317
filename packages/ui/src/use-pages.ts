import { useEffect, useState } from 'preact/hooks'
import { useLoad } from './use-load.ts'

type Page<Item> = { items: Item[]; next: string | null }

/** A list, page by page. With another `key` it begins again. */
export function usePages<Item>(key: string, read: (cursor: string | undefined) => Promise<Page<Item>>) {
  const [shown, setShown] = useState<{ key: string; cursor: string | undefined; before: Item[] }>({
    key,
    cursor: undefined,
    before: [],
  })
  const { cursor, before } = shown.key === key ? shown : { cursor: undefined, before: [] }
  useEffect(() => setShown({ key, cursor: undefined, before: [] }), [key])
  const { value, error, isBusy, reload } = useLoad(`${key} ${cursor ?? ''}`, () => read(cursor))
  const items = [...before, ...(value?.items ?? [])]
  return {
    items: value || before.length > 0 ? items : undefined,
    error,
    isBusy,
    // While a page is read, and after an error of it, too: the button keeps the keyboard focus.
    hasMore: value ? value.next !== null : before.length > 0,
    more: () => (value ? setShown({ key, cursor: value.next!, before: items }) : reload()),
    /** Reads the same page again. */
    retry: reload,
    reload: () => (cursor === undefined ? reload() : setShown({ key, cursor: undefined, before: [] })),
  }
}
