import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** The unit of processor time in `/proc`: hundredths of a second on every Linux. */
const MS_PER_TICK = 10

/**
 * Processor time that a process has used, by fields 14 to 17 of proc_pid_stat(5). `withChildren` adds its
 * children, including those that have exited. NaN on systems without `/proc`.
 */
export function cpuMs(pid: number, { withChildren = false } = {}): number {
  // The name of the process, which may contain spaces, ends with the last parenthesis.
  const fields = read(`/proc/${pid}/stat`).split(') ').at(-1)!.split(' ').slice(11, 15).map(Number)
  const [user = NaN, system = NaN, exitedUser = NaN, exitedSystem = NaN] = fields
  const own = (user + system) * MS_PER_TICK
  if (!withChildren) return own
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
  // A child may have exited meanwhile.
  const running = children.reduce((sum, child) => sum + (cpuMs(child) || 0), 0)
  return own + (exitedUser + exitedSystem) * MS_PER_TICK + running
}

/** Resident memory (`VmRSS`) of a process in megabytes. NaN on systems without `/proc`. */
export const memoryMb = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1]) / 1024)

/** Empty if the file does not exist, for example because the process has exited. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

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
