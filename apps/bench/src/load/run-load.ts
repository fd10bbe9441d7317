import { spawn } from 'node:child_process'
import { json, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Contender } from '../contenders/contender.ts'
import { pin } from '../contenders/pin-process.ts'
import { cpuSecondsOf, memoryOf } from '../contenders/resource-usage.ts'
import type { Job, Outcome } from './job.ts'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))

/** Processor time a request cost the contender itself, and PostgreSQL, warm-up included; absent where it cannot be told. */
export type Measured = Outcome & { cpuMs: number | undefined; postgresCpuMs: number | undefined; memoryMb: number | undefined }

/** Has the generator do a job against contenders of the same kind, and looks at what it cost them. */
export async function runLoad(job: Job, contenders: Contender[], postgresPid: number | undefined, cores?: string): Promise<Measured> {
  const cpuNow = () => ({ contenders: cpuOf(contenders), postgres: postgresPid && cpuSecondsOf(postgresPid, true) })
  const before = cpuNow()
  const outcome = await runJob(job, cores)
  const after = cpuNow()
  const msEach = (was: number | undefined, is: number | undefined) =>
    was === undefined || is === undefined ? undefined : ((is - was) * 1000) / outcome.total
  return {
    ...outcome,
    cpuMs: msEach(before.contenders, after.contenders),
    postgresCpuMs: msEach(before.postgres, after.postgres),
    memoryMb: contenders.reduce<number | undefined>((sum, { pid }) => add(sum, memoryOf(pid)), 0),
  }
}

const cpuOf = (contenders: Contender[]) => contenders.reduce<number | undefined>((sum, { pid }) => add(sum, cpuSecondsOf(pid)), 0)
const add = (sum: number | undefined, more: number | undefined) => (sum === undefined || more === undefined ? undefined : sum + more)

async function runJob(job: Job, cores?: string): Promise<Outcome> {
  const child = spawn(process.execPath, [MAIN], { stdio: ['pipe', 'pipe', 'pipe'] })
  if (cores) pin(child.pid!, cores)
  child.stdin.on('error', () => {}).end(JSON.stringify(job))
  const [outcome, complaint] = await Promise.allSettled([json(child.stdout), text(child.stderr)])
  if (outcome.status === 'rejected')
    throw new Error(`the load generator failed: ${complaint.status === 'fulfilled' ? complaint.value : ''}`)
  return outcome.value as Outcome
}
