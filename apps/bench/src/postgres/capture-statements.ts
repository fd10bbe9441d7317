import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { StartTiwala } from '../contenders/tiwala.ts'

const NOTE_STATEMENTS = fileURLToPath(new URL('log-statements.ts', import.meta.url))
/** Long enough for whatever the server does every few seconds of its own accord. */
const IDLE_MS = 3_000

export type Statement = { text: string; values: unknown[] }
/** Does one thing, and tells which statements our server sent for it. */
export type Capture = (act: () => Promise<unknown>) => Promise<Statement[]>

/** Runs our server alone and idle, so that what it sends is what one request makes it send. */
export async function capturing<T>(
  start: StartTiwala,
  databaseUrl: string,
  folder: string,
  act: (origin: string, capture: Capture) => Promise<T>,
): Promise<T> {
  const file = join(folder, 'statements.ndjson')
  writeFileSync(file, '')
  const server = await start(databaseUrl, {
    name: 'tiwala-statements',
    nodeArgs: ['--import', NOTE_STATEMENTS],
    env: { BENCH_STATEMENTS_FILE: file },
  })
  const read = () =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Statement)
  try {
    await wait(IDLE_MS)
    const ofItsOwn = new Set(read().map(({ text }) => text))
    const capture: Capture = async (once) => {
      const seen = read().length
      await once()
      return read()
        .slice(seen)
        .filter(({ text }) => !ofItsOwn.has(text) && !/^(begin|commit|rollback|set|reset)\b/i.test(text.trim()))
    }
    return await act(server.origin, capture)
  } finally {
    await server.stop()
  }
}
