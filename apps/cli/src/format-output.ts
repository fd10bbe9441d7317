import { styleText } from 'node:util'
import { escapeText } from './escape-text.ts'
import type { Io } from './io.ts'

type Row = Record<string, unknown>

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (Array.isArray(value)) return value.map(cell).join(', ') || '-'
  if (typeof value === 'object') return escapeText(JSON.stringify(value))
  return escapeText(`${value as string | number | boolean}`).replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+Z$/, '$1Z')
}

/** Aligned under a heading. A later page gets the widths of the first, and no heading. */
export function createTable(columns: readonly string[], { stdout }: Io): (rows: Row[]) => string {
  let widths: number[] | undefined
  const line = (cells: string[]) =>
    cells
      .map((text, index) => text.padEnd(widths![index]!))
      .join('  ')
      .trimEnd()
  return (rows) => {
    const cells = rows.map((row) => columns.map((column) => cell(row[column])))
    const heading = widths ? [] : [columns.map((column) => column.replaceAll('_', ' ').toUpperCase())]
    widths ??= columns.map((_, index) => Math.max(...[...heading, ...cells].map((each) => each[index]!.length)))
    const top = heading.map((each) => styleText('bold', line(each), { stream: stdout }))
    return [...top, ...cells.map(line)].map((text) => `${text}\n`).join('')
  }
}

/** A line for each field; those of an object within are named by both. */
export function showFields(body: object, { stdout }: Io): string {
  const lines = linesOf(body)
  const width = Math.max(...lines.map(([name]) => name.length))
  return lines.map(([name, value]) => `${styleText('dim', name.padEnd(width), { stream: stdout })}  ${value}\n`).join('')
}

function linesOf(body: object, above = ''): [name: string, value: string][] {
  return Object.entries(body).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? linesOf(value, `${above}${name}.`)
      : [[escapeText(above + name), cell(value)] as [string, string]],
  )
}
