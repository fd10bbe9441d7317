import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { StartTiwala } from '../contenders/tiwala.ts'

const LOG_STATEMENTS = fileURLToPath(new URL('log-statements.ts', import.meta.url))
/** Longer than the intervals of the server's periodic background work. */
const IDLE_MS = 3_000
const SESSION_STATEMENT = /^(begin|commit|rollback|set|reset)\b/i

export type Statement = { text: string; values: unknown[] }
/** Runs an action and returns the statements that the server sends for it. */
export type Capture = (action: () => Promise<unknown>) => Promise<Statement[]>

/**
 * Captures the statements that the server sends to PostgreSQL for one request.
 *
 * It starts a server without load and preloads `log-statements.ts`, which appends each statement to a file.
 * First the server idles for three seconds: the statements of this time are background work. Then `use` runs.
 * Its `capture` function runs an action, such as one inquire request, and returns the new statements in the
 * file, without background work, transaction control and session settings.
 */
export async function withStatementCapture<Result>(
  startTiwala: StartTiwala,
  databaseUrl: string,
  folder: string,
  use: (origin: string, capture: Capture) => Promise<Result>,
): Promise<Result> {
  const file = join(folder, 'statements.ndjson')
  writeFileSync(file, '')
  const server = await startTiwala(databaseUrl, {
    name: 'tiwala-statements',
    nodeArgs: ['--import', LOG_STATEMENTS],
    env: { BENCH_STATEMENTS_FILE: file },
  })
  const readStatements = () =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Statement)
  try {
    await wait(IDLE_MS)
    const backgroundTexts = new Set(readStatements().map(({ text }) => text))
    const capture: Capture = async (action) => {
      const countBefore = readStatements().length
      await action()
      return readStatements()
        .slice(countBefore)
        .filter(({ text }) => !backgroundTexts.has(text) && !SESSION_STATEMENT.test(text.trim()))
    }
    return await use(server.origin, capture)
  } finally {
    await server.stop()
  }
}
