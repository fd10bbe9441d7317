import { readdirSync, readFileSync } from 'node:fs'

/** Of `/proc`, which counts processor time in hundredths of a second on every Linux. */
const TICKS_PER_SECOND = 100

/**
 * Processor time of a process, and of its children where asked for, those that have ended included; `undefined` where there is no
 * `/proc`.
 */
export function cpuSecondsOf(pid: number, withChildren = false): number | undefined {
  const own = ticksOf(pid)
  if (own === undefined) return undefined
  if (!withChildren) return own.itself / TICKS_PER_SECOND
  const living = childrenOf(pid).reduce((sum, child) => sum + (ticksOf(child)?.itself ?? 0), 0)
  return (own.itself + own.endedChildren + living) / TICKS_PER_SECOND
}

/** Memory a process holds now (`VmRSS`), or held at most (`VmHWM`), in megabytes. */
export function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM' = 'VmRSS'): number | undefined {
  const kilobytes = new RegExp(`${field}:\\s+(\\d+)`).exec(read(`/proc/${pid}/status`) ?? '')?.[1]
  return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024)
}

/** Fields 14 to 17 of proc_pid_stat(5), counted from behind the name, which may hold spaces. */
function ticksOf(pid: number): { itself: number; endedChildren: number } | undefined {
  const fields = statOf(pid)
  if (!fields) return undefined
  const [utime, stime, cutime, cstime] = fields.slice(11, 15).map(Number) as [number, number, number, number]
  return { itself: utime + stime, endedChildren: cutime + cstime }
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statOf(Number(name))?.[1] === String(pid))
    .map(Number)
}

const statOf = (pid: number) => read(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ')

/** `undefined`: no such file, as of a process that has ended. */
function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
