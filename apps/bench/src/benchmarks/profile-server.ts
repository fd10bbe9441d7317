import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import { issueExchangeCodes } from '../fixtures/create-fixtures.ts'
import { runLoad } from '../load/run-load.ts'
import { log } from '../log.ts'
import type { ProfileTarget } from '../options.ts'
import { type CpuProfile, selfTimes, toLines } from '../report/self-times.ts'
import { inquireJob } from './inquire-job.ts'
import { journeyJob } from './sign-in-jobs.ts'

const RECORDS = 10_000
const WARM_UP_SECONDS = 3
const SECONDS = 10
const JOURNEYS = 3_000

/** Profiles the server under load. The profile covers only the counted part of the load. */
export async function profileServer(bench: Bench, target: ProfileTarget): Promise<string> {
  const { fixtures, plan, folder, postgres } = bench
  const database = await bench.openDatabase('profile', RECORDS)
  const profileFolder = join(folder, 'profile')
  const nodeArgs = ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`]
  const server = await bench.startTiwala(database, { name: 'profile', nodeArgs })
  const { origin } = server
  const job =
    target === 'inquire'
      ? inquireJob(fixtures, [origin], { ...plan, warmUpSeconds: WARM_UP_SECONDS, seconds: SECONDS })
      : journeyJob(fixtures, { origin, plan }, await issueExchangeCodes(origin, fixtures, JOURNEYS))
  log(`Profiling ${target}`)
  const { windowUs, perSecond, cpuMs } = await runLoad(job, [server], postgres.pid)
  // Node writes the profile when it exits.
  await server.stop()
  const [file] = await readdir(profileFolder)
  const profile = JSON.parse(await readFile(join(profileFolder, file!), 'utf8')) as CpuProfile
  const { byPackage, byFunction } = selfTimes(profile, windowUs)
  const rate = `${Math.round(perSecond)}/s under the profiler, ${cpuMs?.toFixed(2)} ms of processor time each`
  return [
    `${target}: ${rate}. The percentages are self times, without idle time.`,
    ...toLines('By package', byPackage),
    ...toLines('By function', byFunction),
  ].join('\n')
}
