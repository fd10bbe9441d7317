import type { ComponentChildren } from 'preact'
import { Alert, More } from './parts.tsx'
import { usePages } from './use-pages.ts'

export type Column<Row> = { title: string; cell: (row: Row) => ComponentChildren }

type TableProps<Row> = {
  caption: string
  columns: Column<Row>[]
  rows: Row[]
  keyOf: (row: Row) => string
  /** Numbers, which a reader compares down a column. */
  isNumbers?: boolean
}

/** On a phone, each row is a block, except of numbers. */
export function Table<Row>({ caption, columns, rows, keyOf, isNumbers }: TableProps<Row>) {
  return (
    <table class={isNumbers ? 'table' : 'table stack'}>
      <caption class="hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.title} scope="col">
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column) => (
              <td key={column.title} data-label={column.title}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type ListProps<Row> = Omit<TableProps<Row>, 'rows'> & {
  /** With another text, the list begins again. */
  of: string
  read: (cursor: string | undefined) => Promise<{ items: Row[]; next: string | null }>
  /** Said if nothing fits the filters. */
  empty: string
  /** Said of an empty list without filters. */
  none?: string
  /** What stands above the list. `reload` reads the list again. */
  children?: (reload: () => void) => ComponentChildren
}

/** A table that is read page by page. */
export function List<Row>({ of, read, empty, none = empty, children, ...table }: ListProps<Row>) {
  const { items, error, isBusy, hasMore, more, reload } = usePages(of, read)
  return (
    <>
      {children?.(reload)}
      <Alert text={error} />
      <div aria-live="polite" aria-busy={isBusy}>
        {!items && !error && <p class="empty">Loading ...</p>}
        {items?.length === 0 && <p class="empty">{of ? empty : none}</p>}
        {items && items.length > 0 && <Table {...table} rows={items} />}
      </div>
      <More hasMore={hasMore} isBusy={isBusy} onClick={more} />
    </>
  )
}
