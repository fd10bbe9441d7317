import { spawn } from 'node:child_process'
import { json, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Contender } from '../contenders/contender.ts'
import { pinProcess } from '../contenders/pin-process.ts'
import { cpuSeconds, memoryMegabytes } from '../contenders/resource-usage.ts'
import type { Job, LoadResult } from './job.ts'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))

/**
 * A load result with its costs: processor time of the contenders and of PostgreSQL for each request or
 * journey, warm-up included, and memory of the contenders. A cost is `undefined` where it cannot be measured.
 */
export type Measurement = LoadResult & {
  cpuMs: number | undefined
  postgresCpuMs: number | undefined
  memoryMb: number | undefined
}

/** Runs a job of the load generator against processes of one contender. `cores` pins the load generator. */
export async function runLoad(
  job: Job,
  contenders: Contender[],
  postgresPid: number | undefined,
  cores?: string,
): Promise<Measurement> {
  const readCpuSeconds = () => ({
    contenders: sumOf(contenders, ({ pid }) => cpuSeconds(pid)),
    postgres: postgresPid && cpuSeconds(postgresPid, { withChildren: true }),
  })
  const before = readCpuSeconds()
  const result = await runJob(job, cores)
  const after = readCpuSeconds()
  const msEach = (start: number | undefined, end: number | undefined) =>
    start === undefined || end === undefined ? undefined : ((end - start) * 1000) / result.totalCount
  return {
    ...result,
    cpuMs: msEach(before.contenders, after.contenders),
    postgresCpuMs: msEach(before.postgres, after.postgres),
    memoryMb: sumOf(contenders, ({ pid }) => memoryMegabytes(pid)),
  }
}

/** `undefined` if one of the values is. */
function sumOf(
  contenders: Contender[],
  valueOf: (contender: Contender) => number | undefined,
): number | undefined {
  const values = contenders.map(valueOf)
  return values.reduce(
    (sum, value) => (sum === undefined || value === undefined ? undefined : sum + value),
    0,
  )
}

async function runJob(job: Job, cores?: string): Promise<LoadResult> {
  const child = spawn(process.execPath, [MAIN], { stdio: ['pipe', 'pipe', 'pipe'] })
  if (cores) pinProcess(child.pid!, cores)
  child.stdin.on('error', () => {}).end(JSON.stringify(job))
  const [result, stderr] = await Promise.allSettled([json(child.stdout), text(child.stderr)])
  if (result.status === 'rejected')
    throw new Error(`The load generator failed: ${stderr.status === 'fulfilled' ? stderr.value : ''}`)
  return result.value as LoadResult
}
