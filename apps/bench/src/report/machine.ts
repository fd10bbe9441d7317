import { availableParallelism, cpus, loadavg, release, totalmem, type as system } from 'node:os'
import { pgbenchVersion } from '../postgres/pgbench.ts'
import { POSTGRES_SETTINGS, type Postgres } from '../postgres/start-postgres.ts'

type Property =
  | 'processor'
  | 'cores'
  | 'memory'
  | 'system'
  | 'node'
  | 'postgres'
  | 'pgbench'
  | 'load average'
  | 'date'
export type Machine = Record<Property, string>

/** Describes the machine without its host name and paths, because the results are published. */
export const describeMachine = ({ version }: Postgres): Machine => ({
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  cores: `${availableParallelism()}`,
  memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
  system: `${system()} ${release().split('-')[0]}`,
  node: process.version,
  postgres: `${version}; fsync, synchronous_commit and full_page_writes on; ${Object.entries(
    POSTGRES_SETTINGS,
  )
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')}`,
  pgbench: pgbenchVersion() ?? 'not installed',
  'load average': `${loadavg()[0]!.toFixed(1)} in the minute before the first round, preparation included`,
  date: new Date().toISOString().slice(0, 10),
})
