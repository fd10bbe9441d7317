import type { Statement } from './capture-statements.ts'

/** What stands in a script in the place of a value that was captured: an expression over pgbench's variables. */
export type Replacements = Map<unknown, string>

/** Statements as a script for `pgbench -M prepared`: every value a literal, but for those that each run must have anew. */
export const toScript = (statements: readonly Statement[], replacements: Replacements = new Map()): string =>
  statements.map(({ text, values }) => `${fill(text, values, replacements)};`).join('\n')

function fill(text: string, values: readonly unknown[], replacements: Replacements): string {
  const oneLine = text.replaceAll(/\s*\n\s*/g, ' ')
  const withoutColons = oneLine.replaceAll(/'([^']*)'/g, (quoted, inQuotes: string) =>
    inQuotes.includes(':') ? literal(inQuotes) : quoted,
  )
  return withoutColons.replaceAll(/\$(\d+)/g, (_, number: string) => toSql(values[Number(number) - 1], replacements))
}

function toSql(value: unknown, replacements: Replacements): string {
  if (value === null || value === undefined) return 'null'
  const replacement = replacements.get(value)
  if (replacement !== undefined) return `(${replacement})`
  if (!Array.isArray(value)) return literal(textOf(value))
  if (value.some((item) => replacements.has(item))) return `array[${value.map((item) => toSql(item, replacements)).join()}]`
  return literal(`{${value.map((item) => (item === null ? 'null' : JSON.stringify(textOf(item)))).join()}}`)
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** Untyped, as a parameter is. pgbench would take what follows a colon for one of its variables. */
const literal = (text: string) => `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll(':', '\\x3a')}'`
