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
  /** What a column counts. */
  unit: string
  /** The limit of a column. It fills the height. */
  max?: number
  series: Series<Row>[]
  /** Of the table: after the series. */
  more?: Column<Row>[]
  children?: ComponentChildren
}

/** The next round number, half of which is a whole one. */
function roundUp(count: number): number {
  const power = 10 ** Math.floor(Math.log10(count))
  return Math.max(2, [1, 2, 4, 6, 8, 10].find((times) => times * power >= count)! * power)
}

/** Columns from the left to the right, each with its series on top of each other. */
export function Columns<Row>(props: ColumnsProps<Row>) {
  const { title, rows, labelOf, unit, max = 0, series, more = [], children } = props
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
  const top = highest > max ? roundUp(highest) : max
  const peak = `Peak: ${formatCount(highest)} ${unit} (${labelOf(rows[totals.indexOf(highest)]!)})`
  const summary = max ? `${peak}. Limit: ${formatCount(max)}` : peak
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
      <div class="plot small soft">
        <p class="ends" aria-hidden="true">
          <span>{formatCount(top)}</span>
          <span>{formatCount(top / 2)}</span>
          <span>0</span>
        </p>
        <svg
          role="img"
          aria-label={`${title}, ${first} to ${last}: ${summary}`}
          viewBox={`0 0 ${rows.length * 10} 100`}
          preserveAspectRatio="none"
        >
          <path class={max ? 'bad' : ''} d={`M0 0h${rows.length * 10}`} />
          <path d={`M0 50h${rows.length * 10}`} />
          {rows.map((row, index) => {
            let y = 100
            return valuesOf(row).map((value, of) => {
              const height = value && Math.max(1, (100 * value) / top)
              y -= height
              const { name, tone } = series[of]!
              return (
                <rect key={name} class={tone} x={index * 10 + 1} y={y} width="8" height={height}>
                  <title>{`${labelOf(row)}, ${name}: ${formatCount(value)}`}</title>
                </rect>
              )
            })
          })}
        </svg>
        <p class="ends" aria-hidden="true">
          <span>{first}</span>
          <span>{last}</span>
        </p>
      </div>
      <details>
        <summary>Table: {title}</summary>
        <div class="scroll" tabIndex={0} role="group" aria-label={title}>
          <Table
            caption={title}
            rows={rows.toReversed()}
            keyOf={labelOf}
            isGrid
            columns={[
              { title: 'Time', cell: labelOf },
              ...series.map(({ name, value }) => ({
                title: name,
                isNumber: true,
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

const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 })

/** A share, as a bar and a number. From 0 to 1. */
export const Bar = ({ share }: { share: number }) => (
  <span class="share">
    <svg class="bar" aria-hidden="true" viewBox="0 0 100 10" preserveAspectRatio="none">
      <rect class="info" width={share && Math.max(1, 100 * share)} height="10" />
    </svg>
    {PERCENT.format(share)}
  </span>
)
