import type { ComponentChildren } from 'preact'
// Charts of counts, as SVG: columns over time, and bars in a table.
import { type Column, Table } from './list.tsx'

/** `tone`: its color, in the chart and in the legend. The numbers are in the table, too. */
export type Series<Row> = {
  name: string
  tone: 'info' | 'good' | 'warn' | 'bad' | 'faint'
  /** `null`: hidden. */
  value: (row: Row) => number | null
}

export const formatCount = (count: number) => count.toLocaleString()

type ColumnsProps<Row> = {
  title: string
  rows: Row[]
  /** The time of the row. */
  labelOf: (row: Row) => string
  series: Series<Row>[]
  /** Of the table: after the series. */
  more?: Column<Row>[]
  children?: ComponentChildren
}

/** Columns from the left to the right, each with its series on top of each other. The highest fills the height. */
export function Columns<Row>({ title, rows, labelOf, series, more = [], children }: ColumnsProps<Row>) {
  const valuesOf = (row: Row) => series.map(({ value }) => value(row) ?? 0)
  const totals = rows.map((row) => valuesOf(row).reduce((sum, value) => sum + value, 0))
  const highest = Math.max(...totals)
  if (highest === 0)
    return (
      <section class="card chart">
        <h2>{title}</h2>
        {children}
        <p>None.</p>
      </section>
    )
  const [first, last] = [labelOf(rows[0]!), labelOf(rows.at(-1)!)]
  const summary = `Most: ${formatCount(highest)}, at ${labelOf(rows[totals.indexOf(highest)]!)}`
  return (
    <figure class="card chart">
      <figcaption>
        <h2>{title}</h2>
        {children}
        <ul class="legend">
          {series.map(({ name, tone }) => (
            <li key={name} class={tone}>
              {name}
            </li>
          ))}
        </ul>
        <p class="small soft">{summary}</p>
      </figcaption>
      <svg
        role="img"
        aria-label={`${title}, ${first} to ${last}: ${summary}`}
        viewBox={`0 0 ${rows.length * 10} 100`}
        preserveAspectRatio="none"
      >
        {rows.map((row, index) => {
          let top = 100
          return valuesOf(row).map((value, of) => {
            const height = value && Math.max(1, (100 * value) / highest)
            top -= height
            const { name, tone } = series[of]!
            return (
              <rect key={name} class={tone} x={index * 10 + 1} y={top} width="8" height={height}>
                <title>{`${labelOf(row)}, ${name}: ${formatCount(value)}`}</title>
              </rect>
            )
          })
        })}
      </svg>
      <p class="ends small soft" aria-hidden="true">
        <span>{first}</span>
        <span>{last}</span>
      </p>
      <details>
        <summary>Table: {title}</summary>
        <div class="scroll" tabIndex={0} role="group" aria-label={title}>
          <Table
            caption={title}
            rows={rows.toReversed()}
            keyOf={labelOf}
            isNumbers
            columns={[
              { title: 'Time', cell: labelOf },
              ...series.map(({ name, value }) => ({
                title: name,
                cell: (row: Row) => {
                  const count = value(row)
                  return count === null ? 'hidden' : formatCount(count)
                },
              })),
              ...more,
            ]}
          />
        </div>
      </details>
    </figure>
  )
}

/** A bar in a cell, beside its number. `share`: from 0 to 1. */
export const Bar = ({ share }: { share: number }) => (
  <svg class="bar" aria-hidden="true" viewBox="0 0 100 10" preserveAspectRatio="none">
    <rect class="info" width={share && Math.max(1, 100 * share)} height="10" />
  </svg>
)
