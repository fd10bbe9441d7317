import { availableParallelism, cpus, loadavg, release, totalmem, type as system } from 'node:os'
import { POSTGRES_SETTINGS } from '../bench.ts'
import { pgbenchVersion } from '../pgbench/run-pgbench.ts'

/** Describes the machine without its host name and paths, because the results are published. */
export function describeMachine(postgresVersion: string): Record<string, string> {
  const settings = Object.entries(POSTGRES_SETTINGS).map(([name, value]) => `${name} ${value}`)
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: `${availableParallelism()}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${system()} ${release().split('-')[0]}`,
    node: process.version,
    postgres: `${postgresVersion}; fsync, synchronous_commit and full_page_writes on; ${settings.join(', ')}`,
    pgbench: pgbenchVersion() ?? 'not installed',
    'load average': `${loadavg()[0]!.toFixed(1)} in the minute before the first round, preparation included`,
    date: new Date().toISOString().slice(0, 10),
  }
}
