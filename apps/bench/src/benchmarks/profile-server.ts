import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import { runLoad } from '../load/run-load.ts'
import type { Profiled } from '../options.ts'
import { type CpuProfile, selfTimes, toLines } from '../report/self-times.ts'
import { log } from '../log.ts'
import { issueCodes } from '../fixtures/create-fixtures.ts'
import { inquireJob } from './inquire-job.ts'
import { ourJourney } from './sign-in-jobs.ts'

const RECORDS = 10_000
const SECONDS = 10
const JOURNEYS = 3_000

/** Where our server's time goes under load: its own CPU profile, of the loaded time only. */
export async function profileServer(bench: Bench, profiled: Profiled): Promise<string> {
  const { fixtures, plan, folder, postgres } = bench
  const database = await bench.openDatabase('profile', RECORDS)
  const nodeArgs = ['--cpu-prof', `--cpu-prof-dir=${join(folder, 'profile')}`]
  const server = await bench.startTiwala(database, { name: 'profiled', nodeArgs })
  const jobOf = async () =>
    profiled === 'inquire'
      ? inquireJob(fixtures, [server.origin], { ...plan, warmUpSeconds: 3, seconds: SECONDS })
      : ourJourney(fixtures, { origin: server.origin, plan, items: await issueCodes(server.origin, fixtures, JOURNEYS) })
  log(`Profiling ${profiled}`)
  const { window, perSecond, cpuMs } = await runLoad(await jobOf(), [server], postgres.pid)
  await server.stop()
  const [file] = await readdir(join(folder, 'profile'))
  const profile = JSON.parse(await readFile(join(folder, 'profile', file!), 'utf8')) as CpuProfile
  const { byPackage, byFunction } = selfTimes(profile, window)
  return [
    `${profiled}: ${Math.round(perSecond)}/s while profiled, ${cpuMs?.toFixed(2)} ms of CPU each. Self time, of the time that was not idle.`,
    ...toLines('By package', byPackage),
    ...toLines('By function', byFunction),
  ].join('\n')
}
