import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** The unit of processor time in `/proc`: hundredths of a second on every Linux. */
const MS_PER_TICK = 10

/**
 * Processor time that a process and its children have used, by fields 14 to 17 of proc_pid_stat(5), including children
 * that have exited. NaN on systems without `/proc`.
 */
export function cpuMs(pid: number): number {
  const [user = NaN, system = NaN, exitedUser = NaN, exitedSystem = NaN] = readTicks(pid)
  // A child may have exited meanwhile.
  const running = childrenOf(pid).map((child) => readTicks(child).slice(0, 2).reduce(add, 0) || 0)
  return (user + system + exitedUser + exitedSystem + running.reduce(add, 0)) * MS_PER_TICK
}

// The name of the process, which may contain spaces, ends with the last parenthesis.
const readTicks = (pid: number): number[] =>
  read(`/proc/${pid}/stat`).split(') ').at(-1)!.split(' ').slice(11, 15).map(Number)

const childrenOf = (pid: number): number[] =>
  read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)

/** Resident memory (`VmRSS`) of a process and its children in megabytes. NaN on systems without `/proc`. */
export const memoryMb = (pid: number): number =>
  Math.round(
    (readMemoryKb(pid) +
      childrenOf(pid)
        .map((child) => readMemoryKb(child) || 0)
        .reduce(add, 0)) /
      1024,
  )

const readMemoryKb = (pid: number): number => Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1])

const add = (left: number, right: number): number => left + right

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
