import { spawn } from 'node:child_process'
import { json, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Contender } from '../contenders/contender.ts'
import { cpuMs, memoryMb, pinProcess } from '../contenders/process-usage.ts'
import type { Values } from '../rounds.ts'
import type { Job, LoadResult } from './main.ts'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))

/** `postgresPid` is `undefined` if PostgreSQL may run on another machine. */
export type Processes = { servers: Contender[]; postgresPid: number | undefined }
export type Measurement = Values & LoadResult

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

/** The processor time of the servers and of PostgreSQL for each request, journey or event of `act`. */
export async function withCpu<Result extends { totalCount: number }>(
  { servers, postgresPid }: Processes,
  act: () => Promise<Result>,
): Promise<Result & Values> {
  const read = () => ({
    servers: sum(servers.map(({ pid }) => cpuMs(pid))),
    postgres: postgresPid === undefined ? NaN : cpuMs(postgresPid),
  })
  const before = read()
  const result = await act()
  const after = read()
  return {
    ...result,
    cpuMs: (after.servers - before.servers) / result.totalCount,
    postgresCpuMs: (after.postgres - before.postgres) / result.totalCount,
  }
}

/** Runs a job of the load generator in a new process. `cores` pins it. */
export async function runLoad(job: Job, processes: Processes, cores?: string): Promise<Measurement> {
  const measurement = await withCpu(processes, async () => {
    const child = spawn(process.execPath, [MAIN], { stdio: ['pipe', 'pipe', 'pipe'] })
    if (cores) pinProcess(child.pid!, cores)
    const origins = processes.servers.map(({ origin }) => origin)
    child.stdin.on('error', () => {}).end(JSON.stringify({ ...job, origins }))
    const [result, stderr] = await Promise.allSettled([json(child.stdout), text(child.stderr)])
    if (result.status === 'rejected')
      throw new Error(`The load generator failed: ${stderr.status === 'fulfilled' ? stderr.value : ''}`)
    return result.value as LoadResult
  })
  return { ...measurement, memoryMb: sum(processes.servers.map(({ pid }) => memoryMb(pid))) }
}
