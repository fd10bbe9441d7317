import type { ComponentChildren } from 'preact'
import { queryOf } from './fields.tsx'
import { Alert, Filters, More } from './parts.tsx'
import { usePages } from './use-pages.ts'

export type Column<Row> = {
  title: string
  cell: (row: Row) => ComponentChildren
  /** A number, which a reader compares down the column. */
  isNumber?: boolean
}

type TableProps<Row> = {
  caption: string
  /** Said if there is no row. */
  empty?: string
  columns: Column<Row>[]
  rows: Row[]
  keyOf: (row: Row) => string
  /** Keeps its columns on a phone. */
  isGrid?: boolean
}

/** On a phone, each row is a block, except of a grid. */
export function Table<Row>({ caption, empty, columns, rows, keyOf, isGrid }: TableProps<Row>) {
  if (empty && rows.length === 0) return <p>{empty}</p>
  return (
    <table class={isGrid ? 'table' : 'table stack'}>
      <caption class="hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.title} scope="col" class={column.isNumber ? 'number' : undefined}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column) => (
              <td key={column.title} data-label={column.title} class={column.isNumber ? 'number' : undefined}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const NONE = new URLSearchParams()

type ListProps<Row, Page> = Omit<TableProps<Row>, 'rows'> & {
  /** Those of the address. With others, the list begins again. */
  filters?: URLSearchParams
  hrefOf?: (filters: string) => string
  /** The fields of the filters. */
  fields?: ComponentChildren
  /** Reads a page. `query`: the filters, and where the page begins. */
  read: (query: Record<string, string>) => Promise<{ body: Page }>
  rowsOf: (page: Page) => Row[]
  /** Said if nothing fits the filters. */
  empty: string
  /** Said of an empty list without filters. */
  none?: string
  /**
   * What stands above the list: by default `form`, which has the fields. `reload` reads the list again. `rows`: those that
   * were read.
   */
  children?: (form: ComponentChildren, reload: () => void, rows: Row[]) => ComponentChildren
}

/** A table that is read page by page, below its filters. */
export function List<Row, Page extends { next_cursor: string | null }>({
  filters = NONE,
  hrefOf,
  fields,
  read,
  rowsOf,
  empty,
  none = empty,
  children = (form) => form,
  ...table
}: ListProps<Row, Page>) {
  const of = String(filters)
  const { items, error, isBusy, hasMore, more, retry, reload } = usePages(of, async (cursor) => {
    const { body } = await read({ ...queryOf(filters), ...(cursor && { cursor }) })
    return { items: rowsOf(body), next: body.next_cursor }
  })
  const nothing = of ? empty : none
  const form = hrefOf && (
    <Filters filters={filters} hrefOf={hrefOf} reload={reload}>
      {fields}
    </Filters>
  )
  return (
    <>
      {children(form, reload, items ?? [])}
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
