// What `--output` prints, except tables, which are for people.
import { stringify } from 'yaml'
import { escapeLines, escapeUnsafe, toSafeJson } from './escape-text.ts'
import { type Io, print } from './io.ts'

export const OUTPUTS = ['table', 'json', 'yaml', 'csv'] as const
export type Output = (typeof OUTPUTS)[number]
type Structured = Exclude<Output, 'table'>
type Row = Record<string, unknown>

/** Prints a result: as a text for people, or whole. */
export const printResult = (io: Io, output: Output, value: object, text: string): Promise<void> =>
  output === 'table' ? print(io.stdout, escapeLines(text)) : printValue(io, output, value)

/** Prints a whole response. */
export async function printValue({ stdout }: Io, output: Structured, value: object): Promise<void> {
  const text = {
    json: () => `${toSafeJson(value, 2)}\n`,
    yaml: () => toYaml(value),
    csv: () => toCsv([Object.keys(value), cellsOf(value as Row, Object.keys(value))]),
  }[output]()
  await print(stdout, text)
}

/**
 * Returns a function that prints rows as they come: each a line of JSON, an item of one YAML list, or a line of CSV
 * below the heading.
 */
export function createRowPrinter({ stdout }: Io, output: Output, columns?: readonly string[]) {
  let isFirst = true
  return async (rows: readonly Row[]): Promise<void> => {
    const names = columns ?? Object.keys(rows[0] ?? {})
    const heading = isFirst && names.length > 0 ? [names] : []
    if (output === 'csv') await print(stdout, toCsv([...heading, ...rows.map((row) => cellsOf(row, names))]))
    else if (rows.length > 0)
      await print(
        stdout,
        output === 'yaml' ? toYaml(rows) : rows.map((row) => `${toSafeJson(row)}\n`).join(''),
      )
    isFirst = false
  }
}

/** Each text is in double quotes, where unsafe characters can be escaped as in JSON. */
const toYaml = (value: object): string =>
  escapeUnsafe(stringify(value, { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN', lineWidth: 0 }))

/** RFC 4180. */
const toCsv = (lines: readonly (readonly string[])[]): string =>
  lines.map((cells) => `${cells.map(quote).join(',')}\r\n`).join('')

const cellsOf = (row: Row, names: readonly string[]): string[] => names.map((name) => toCell(row[name]))

function toCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'object') return toSafeJson(value)
  const text = escapeUnsafe(`${value as string | number | boolean}`)
  // A spreadsheet would take it for a formula.
  return typeof value === 'string' && /^[=+\-@]/.test(text) ? `'${text}` : text
}

const quote = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
