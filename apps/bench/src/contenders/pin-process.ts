import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** A core for each of two servers, the others for PostgreSQL and the load generator; `undefined`: there are too few to share out. */
export function shareOutCores(): { servers: [string, string]; others: string } | undefined {
  const cores = availableParallelism()
  if (cores < 4 || process.platform !== 'linux') return undefined
  return { servers: ['0', '1'], others: `2-${cores - 1}` }
}

/** A process that exists, all its threads and whatever it starts from now on. */
export const pin = (pid: number, cores: string): void => void execFileSync('taskset', ['-a', '-c', '-p', cores, String(pid)])
