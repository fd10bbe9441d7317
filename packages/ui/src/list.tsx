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
  /** What stands above the list. `reload` reads the list again. `rows`: those that were read. */
  children?: (reload: () => void, rows: Row[]) => ComponentChildren
}

/** A table that is read page by page. */
export function List<Row>({ of, read, empty, none = empty, children, ...table }: ListProps<Row>) {
  const { items, error, isBusy, hasMore, more, retry, reload } = usePages(of, read)
  const nothing = of ? empty : none
  return (
    <>
      {children?.(reload, items ?? [])}
      <Alert text={error} retry={retry} />
      {/* A screen reader says how many rows there are. It would read every cell of a live table. */}
      <p role="status" class={error || items?.length ? 'hidden' : 'empty'}>
        {error ? '' : isBusy || !items ? 'Loading ...' : items.length > 0 ? `Rows: ${items.length}` : nothing}
      </p>
      {items && items.length > 0 && <Table {...table} rows={items} />}
      <More hasMore={hasMore} isBusy={isBusy} onClick={more} />
    </>
  )
}
