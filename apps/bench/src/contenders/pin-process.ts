import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/**
 * Assigns one core to each of two servers, and the other cores to PostgreSQL and the load generator. Returns
 * `undefined` on machines with fewer than four cores and on systems other than Linux.
 */
export function assignCores(): { servers: [string, string]; others: string } | undefined {
  const cores = availableParallelism()
  if (cores < 4 || process.platform !== 'linux') return undefined
  return { servers: ['0', '1'], others: `2-${cores - 1}` }
}

/** Pins a running process with all its threads. Processes that it starts later inherit the cores. */
export const pinProcess = (pid: number, cores: string): void =>
  void execFileSync('taskset', ['-a', '-c', '-p', cores, String(pid)])
