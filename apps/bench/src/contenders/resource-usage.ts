import { readdirSync, readFileSync } from 'node:fs'

/** The unit of processor time in `/proc`: hundredths of a second on every Linux. */
const TICKS_PER_SECOND = 100

/**
 * Processor time that a process has used. `withChildren` adds its children, including those that have exited.
 * `undefined` on systems without `/proc`.
 */
export function cpuSeconds(pid: number, { withChildren = false } = {}): number | undefined {
  const ticks = ticksOf(pid)
  if (ticks === undefined) return undefined
  if (!withChildren) return ticks.process / TICKS_PER_SECOND
  const runningChildren = childrenOf(pid).reduce((sum, child) => sum + (ticksOf(child)?.process ?? 0), 0)
  return (ticks.process + ticks.exitedChildren + runningChildren) / TICKS_PER_SECOND
}

/** Resident memory (`VmRSS`) of a process in megabytes. `undefined` on systems without `/proc`. */
export function memoryMegabytes(pid: number): number | undefined {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`) ?? '')?.[1]
  return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024)
}

/** Fields 14 to 17 of proc_pid_stat(5). */
function ticksOf(pid: number): { process: number; exitedChildren: number } | undefined {
  const fields = statOf(pid)
  if (!fields) return undefined
  const [utime, stime, cutime, cstime] = fields.slice(11, 15).map(Number) as [number, number, number, number]
  return { process: utime + stime, exitedChildren: cutime + cstime }
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statOf(Number(name))?.[1] === String(pid))
    .map(Number)
}

/** The fields of proc_pid_stat(5) after the second one, the process name, which may contain spaces. */
const statOf = (pid: number) => read(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ')

/** `undefined` if the file does not exist, for example because the process has exited. */
function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
