// Turns captured statements into a script for `pgbench -M prepared`. Every value becomes a literal, except
// those that must differ in each transaction: an expression over pgbench variables replaces them.
//
// Example: with the values `ABC` and `ACCEPTED`, where `'PGBENCH' || :n` replaces `ABC`,
//   select * from record where tracking_no = $1 and state = $2
// becomes
//   select * from record where tracking_no = ('PGBENCH' || :n) and state = E'ACCEPTED';
import type { Statement } from './capture-statements.ts'

/** SQL expressions by the captured value that they replace. */
export type Replacements = Map<unknown, string>

export const toScript = (statements: readonly Statement[], replacements: Replacements = new Map()): string =>
  statements.map(({ text, values }) => `${fillIn(text, values, replacements)};`).join('\n')

function fillIn(text: string, values: readonly unknown[], replacements: Replacements): string {
  const oneLine = text.replaceAll(/\s*\n\s*/g, ' ')
  const withoutColons = oneLine.replaceAll(/'([^']*)'/g, (quoted, content: string) =>
    content.includes(':') ? literal(content) : quoted,
  )
  return withoutColons.replaceAll(/\$(\d+)/g, (_, number: string) =>
    toSql(values[Number(number) - 1], replacements),
  )
}

function toSql(value: unknown, replacements: Replacements): string {
  if (value === null || value === undefined) return 'null'
  const replacement = replacements.get(value)
  if (replacement !== undefined) return `(${replacement})`
  if (!Array.isArray(value)) return literal(textOf(value))
  if (value.some((item) => replacements.has(item)))
    return `array[${value.map((item) => toSql(item, replacements)).join()}]`
  return literal(`{${value.map((item) => (item === null ? 'null' : JSON.stringify(textOf(item)))).join()}}`)
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** A literal without a type, like a parameter. Colons are escaped: pgbench reads `:name` as a variable. */
const literal = (text: string) =>
  `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll(':', '\\x3a')}'`
