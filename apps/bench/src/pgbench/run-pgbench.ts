import { execFile, execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { onServer } from '@tiwala/server/testing-database'
import type { Bench } from '../bench.ts'

/** The pool size of the contenders. */
export const CLIENTS = 20
/** Lets PostgreSQL end the processes of these connections, so that the next contender does not pay for it. */
const PAUSE_MS = 500

/** `undefined` if pgbench is not installed. */
export function pgbenchVersion(): string | undefined {
  try {
    return execFileSync('pgbench', ['--version'], { encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
}

/**
 * Runs a script and returns its transactions per second, without the time to connect. `count` selects the
 * number of rows that the script has written: the rate of statements that match no rows would be no baseline.
 */
export async function runPgbench(
  { folder }: Bench,
  databaseUrl: string,
  script: string,
  lengthArgs: string[],
  effect: { count: string; minimum: number },
): Promise<number> {
  const file = join(folder, 'pgbench.sql')
  writeFileSync(file, script)
  const args = ['-n', '-M', 'prepared', '-c', String(CLIENTS), ...lengthArgs, '-f', file, databaseUrl]
  const { stdout, stderr } = await promisify(execFile)('pgbench', args)
  await wait(PAUSE_MS)
  const tps = /tps = ([\d.]+) \(without/.exec(stdout)?.[1]
  if (tps === undefined) throw new Error(`The output of pgbench contains no rate: ${stdout} ${stderr}`)
  const { rows } = await onServer(databaseUrl, (client) => client.query<{ count: string }>(effect.count))
  if (Number(rows[0]!.count) < effect.minimum)
    throw new Error(
      `pgbench wrote ${rows[0]!.count} rows, expected at least ${effect.minimum}. ` +
        "Adapt baselines.ts to the server's statements.",
    )
  return Number(tps)
}
