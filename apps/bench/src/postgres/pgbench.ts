import { execFile, execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

/** As many connections as the contenders' pools have. */
export const CLIENTS = 20
/** In which PostgreSQL ends the processes of those connections: whoever is measured next would be charged with what they cost. */
const REST_MS = 500

/** `undefined`: it is not installed here, and the limit cannot be told. */
export function pgbenchVersion(): string | undefined {
  try {
    return execFileSync('pgbench', ['--version'], { encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
}

type Run = { databaseUrl: string; folder: string; script: string; define?: Record<string, number> } & (
  | { seconds: number }
  | { transactionsPerClient: number }
)

/** Transactions a second, each one run of the script, without the time that connecting takes. */
export async function pgbench({ databaseUrl, folder, script, define = {}, ...length }: Run): Promise<number> {
  const file = join(folder, 'pgbench.sql')
  writeFileSync(file, script)
  const until = 'seconds' in length ? ['-T', String(length.seconds)] : ['-t', String(length.transactionsPerClient)]
  const defined = Object.entries(define).flatMap(([name, value]) => ['-D', `${name}=${value}`])
  const args = ['-n', '-M', 'prepared', '-c', String(CLIENTS), ...until, ...defined, '-f', file, databaseUrl]
  const { stdout, stderr } = await promisify(execFile)('pgbench', args)
  await wait(REST_MS)
  const tps = /tps = ([\d.]+) \(without/.exec(stdout)?.[1]
  if (tps === undefined) throw new Error(`pgbench told no rate: ${stdout} ${stderr}`)
  return Number(tps)
}
