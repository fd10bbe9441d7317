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
    hasMore: !isBusy && value?.next != null,
    more: () => setShown({ key, cursor: value!.next!, before: items }),
    reload: () => (cursor === undefined ? reload() : setShown({ key, cursor: undefined, before: [] })),
  }
}
