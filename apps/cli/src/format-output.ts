import { styleText } from 'node:util'
import { escapeText } from './escape-text.ts'
import type { Io } from './io.ts'

type Row = Record<string, unknown>

function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (Array.isArray(value)) return value.map(formatCell).join(', ') || '-'
  if (typeof value === 'object') return escapeText(JSON.stringify(value))
  return escapeText(`${value as string | number | boolean}`).replace(
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+Z$/,
    '$1Z',
  )
}

/** A longer value, such as a signature or a URL, is only in the JSON output. */
const MAX_CELL_WIDTH = 50
const GAP = '  '

/** The columns without long values, and on a terminal the first ones that fit into its width. */
function fittingColumns(columns: readonly string[], rows: Row[], terminalWidth = Infinity): string[] {
  let width = -GAP.length
  return columns
    .map(
      (name) =>
        [name, Math.max(...[name, ...rows.map((row) => formatCell(row[name]))].map(lengthOf))] as const,
    )
    .filter(([, longest]) => longest <= MAX_CELL_WIDTH)
    .filter(([, longest]) => (width += longest + GAP.length) <= terminalWidth)
    .map(([name]) => name)
}
const lengthOf = ({ length }: string) => length

/**
 * Returns a function that formats one page of rows after another as one aligned table. The first page sets
 * the columns and their widths, and has the heading.
 */
export function createTableFormatter(all: readonly string[], { stdout }: Io): (rows: Row[]) => string {
  let columns: string[] | undefined
  let widths: number[] | undefined
  const formatLine = (cells: string[]) =>
    cells
      .map((text, index) => text.padEnd(widths![index]!))
      .join(GAP)
      .trimEnd()
  return (rows) => {
    const shown = (columns ??= fittingColumns(all, rows, stdout.columns))
    const cells = rows.map((row) => shown.map((column) => formatCell(row[column])))
    const heading = widths ? [] : [shown.map((column) => column.replaceAll('_', ' ').toUpperCase())]
    widths ??= shown.map((_, index) => Math.max(...[...heading, ...cells].map((line) => line[index]!.length)))
    const top = heading.map((line) => styleText('bold', formatLine(line), { stream: stdout }))
    return [...top, ...cells.map(formatLine)].map((text) => `${text}\n`).join('')
  }
}

/**
 * Formats one line per field. A field of a nested object is named by its path, for example `limits.per_day`.
 */
export function formatFields(body: object, { stdout }: Io): string {
  const lines = linesOf(body)
  const width = Math.max(...lines.map(([name]) => name.length))
  return lines
    .map(([name, value]) => `${styleText('dim', name.padEnd(width), { stream: stdout })}  ${value}\n`)
    .join('')
}

function linesOf(body: object, prefix = ''): [name: string, value: string][] {
  return Object.entries(body).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? linesOf(value, `${prefix}${name}.`)
      : [[escapeText(prefix + name), formatCell(value)] as [string, string]],
  )
}
