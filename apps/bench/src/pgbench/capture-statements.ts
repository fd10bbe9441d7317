import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Bench } from '../bench.ts'

/** Longer than the intervals of the server's periodic background work. */
const IDLE_MS = 3_000
/** Transaction control, session settings, and the sealing of the audit, which only follows requests. */
const NO_REQUEST = /^\s*(begin|commit|rollback|set|reset)\b|\baudit_(leaf|checkpoint)\b/i

type Statement = { text: string; values: unknown[] }
/** Runs an action and returns the statements that the server sends for it. */
type Capture = (action: () => Promise<unknown>) => Promise<Statement[]>

/**
 * Captures the statements that the server sends to PostgreSQL for one request.
 *
 * It starts a server without load and preloads `log-statements.ts`, which appends each statement to a file.
 * First the server idles for three seconds: the statements of this time are background work. Then `use` runs.
 * Its `capture` function runs an action, such as one inquire request, and returns the new statements in the
 * file, without background work, transaction control and session settings.
 */
export async function captureStatements<Result>(
  { tiwala, folder }: Bench,
  databaseUrl: string,
  use: (origin: string, capture: Capture) => Promise<Result>,
): Promise<Result> {
  const file = join(folder, 'statements.ndjson')
  writeFileSync(file, '')
  const server = await tiwala.start(databaseUrl, {
    name: 'tiwala-statements',
    nodeArgs: ['--import', new URL('log-statements.ts', import.meta.url).href],
    env: { BENCH_STATEMENTS_FILE: file },
  })
  const read = () => {
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
    return lines.map((line) => JSON.parse(line) as Statement)
  }
  await wait(IDLE_MS)
  const backgroundTexts = new Set(read().map(({ text }) => text))
  const result = await use(server.origin, async (action) => {
    const countBefore = read().length
    await action()
    return read()
      .slice(countBefore)
      .filter(({ text }) => !backgroundTexts.has(text) && !NO_REQUEST.test(text))
  })
  await server.stop()
  return result
}

/**
 * Turns captured statements into a script for `pgbench -M prepared`. Every value becomes a literal, except
 * those that must differ in each transaction: an expression over pgbench variables replaces them. With the
 * values `ABC` and `ACCEPTED`, where `'PGBENCH' || :n` replaces `ABC`,
 *   select * from record where tracking_no = $1 and state = $2
 * becomes
 *   select * from record where tracking_no = ('PGBENCH' || :n) and state = E'ACCEPTED';
 */
export const toScript = (statements: readonly Statement[], replacements: Map<unknown, string>): string =>
  statements.map((statement) => `${fillIn(statement, replacements)};`).join('\n')

function fillIn({ text, values }: Statement, replacements: Map<unknown, string>): string {
  const toSql = (value: unknown): string => {
    if (value === null || value === undefined) return 'null'
    const replacement = replacements.get(value)
    if (replacement !== undefined) return `(${replacement})`
    if (!Array.isArray(value)) return literal(textOf(value))
    if (value.some((item) => replacements.has(item))) return `array[${value.map(toSql).join()}]`
    return literal(`{${value.map((item) => (item === null ? 'null' : JSON.stringify(textOf(item)))).join()}}`)
  }
  return text
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll(/'([^']*)'/g, (quoted, content: string) =>
      content.includes(':') ? literal(content) : quoted,
    )
    .replaceAll(/\$(\d+)/g, (_, number: string) => toSql(values[Number(number) - 1]))
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** A literal without a type, like a parameter. Colons are escaped: pgbench reads `:name` as a variable. */
const literal = (text: string) =>
  `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll(':', '\\x3a')}'`
