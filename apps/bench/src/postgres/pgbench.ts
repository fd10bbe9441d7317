import { execFile, execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

/** The pool size of the contenders. */
export const CLIENTS = 20
/** Lets PostgreSQL end the processes of these connections, so that the next contender does not pay for it. */
const PAUSE_MS = 500

export const NO_PGBENCH_NOTE =
  'The pgbench baseline was not measured, because `pgbench` is not installed on this machine.'

/** `undefined` if pgbench is not installed. */
export function pgbenchVersion(): string | undefined {
  try {
    return execFileSync('pgbench', ['--version'], { encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
}

type PgbenchOptions = {
  databaseUrl: string
  folder: string
  script: string
  variables?: Record<string, number>
} & ({ seconds: number } | { transactionsPerClient: number })

/** Runs a script and returns its transactions per second, without the time to connect. */
export async function runPgbench({
  databaseUrl,
  folder,
  script,
  variables = {},
  ...length
}: PgbenchOptions): Promise<number> {
  const file = join(folder, 'pgbench.sql')
  writeFileSync(file, script)
  const lengthArgs =
    'seconds' in length ? ['-T', String(length.seconds)] : ['-t', String(length.transactionsPerClient)]
  const variableArgs = Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`])
  const fileArgs = ['-f', file, databaseUrl]
  const args = ['-n', '-M', 'prepared', '-c', String(CLIENTS), ...lengthArgs, ...variableArgs, ...fileArgs]
  const { stdout, stderr } = await promisify(execFile)('pgbench', args)
  await wait(PAUSE_MS)
  const tps = /tps = ([\d.]+) \(without/.exec(stdout)?.[1]
  if (tps === undefined) throw new Error(`The output of pgbench contains no rate: ${stdout} ${stderr}`)
  return Number(tps)
}
