import type { Bench } from '../bench.ts'
import type { Contender } from '../contenders/contender.ts'
import { assignCores, pinProcess } from '../contenders/pin-process.ts'
import { type Measurement, runLoad } from '../load/run-load.ts'
import { log } from '../log.ts'
import { medianRatio } from '../report/median.ts'
import type { Ratio, Section } from '../report/section.ts'
import { inquireJob } from './inquire-job.ts'
import { ratesOf, runRounds, toFigure } from './run-rounds.ts'

/** Few connections for the table sizes, so that the latency shows the table and not a queue. */
const SIZE_CONNECTIONS = 8
const PROCESS_CONNECTIONS = 64

const recordsLabel = (records: number) => `${records.toLocaleString('en')} records`
const connectionsLabel = (connections: number) =>
  `${connections} ${connections === 1 ? 'connection' : 'connections'}`

/**
 * Measures inquire by table size, by number of connections, and by number of processes. Half of the requests
 * read accepted records, and half read ended records from the whole table.
 */
export async function benchGrowth(bench: Bench): Promise<Section> {
  const { plan, fixtures, postgres, startTiwala } = bench
  const { records: sizes, rounds, warmUpRoundSeconds, seconds, connections } = plan.growth
  log(`Growth: tables of ${sizes.map(recordsLabel).join(', ')}`)
  const servers: Contender[] = []
  for (const records of sizes) {
    const name = `growth_${records}`
    servers.push(await startTiwala(await bench.openDatabase(name, records), { name }))
  }
  type Load = { records: number; connections: number; loadCores?: string | undefined }
  const measure = (processes: Contender[], load: Load) => (isWarmUpRound: boolean) => {
    const length = {
      ...plan,
      seconds: isWarmUpRound ? warmUpRoundSeconds : seconds,
      connections: load.connections,
    }
    const origins = processes.map(({ origin }) => origin)
    const job = inquireJob(fixtures, origins, length, load.records - plan.acceptedRecords)
    return runLoad(job, processes, postgres.pid, load.loadCores)
  }

  const bySize = await runRounds(
    rounds,
    sizes.map((records, index) => ({
      name: recordsLabel(records),
      measure: measure([servers[index]!], { records, connections: SIZE_CONNECTIONS }),
    })),
  )
  const [smallest] = servers as [Contender]
  const records = sizes[0]!
  const byConnections = await runRounds(
    Math.ceil(rounds / 2),
    connections.map((count) => ({
      name: connectionsLabel(count),
      measure: measure([smallest], { records, connections: count }),
    })),
    { isWarmedUp: true },
  )
  const second = await startTiwala(bench.databaseUrlOf(`growth_${records}`), { name: 'second' })
  const cores = assignCores()
  if (cores) {
    pinProcess(smallest.pid, cores.servers[0])
    pinProcess(second.pid, cores.servers[1])
    pinProcess(postgres.pid, cores.others)
  }
  const load = { records, connections: PROCESS_CONNECTIONS, loadCores: cores?.others }
  const byProcesses = await runRounds(rounds, [
    { name: '1 process', measure: measure([smallest], load) },
    { name: '2 processes', measure: measure([smallest, second], load) },
  ])
  await Promise.all([...servers, second].map(({ stop }) => stop()))
  return toSection(sizes, { bySize, byConnections, byProcesses }, cores !== undefined)
}

type Rounds = Record<string, Measurement[]>
type GrowthRounds = Record<'bySize' | 'byConnections' | 'byProcesses', Rounds>

function toSection(
  sizes: number[],
  { bySize, byConnections, byProcesses }: GrowthRounds,
  isPinned: boolean,
): Section {
  const p99 = (name: string) => bySize[name]!.map(({ p99Ms }) => p99Ms)
  const p50 = (name: string) => bySize[name]!.map(({ p50Ms }) => p50Ms)
  const [smallest, ...larger] = sizes.map(recordsLabel) as [string, ...string[]]
  const ratios: Ratio[] = [
    ...larger.flatMap((name) => [
      {
        name: `p99 at ${name} / at ${smallest}`,
        value: medianRatio(p99(name), p99(smallest)),
        threshold: 1.3,
        isAtMost: true,
      },
      { name: `p50 at ${name} / at ${smallest}`, value: medianRatio(p50(name), p50(smallest)) },
    ]),
    {
      name: 'two processes / one process',
      value: medianRatio(ratesOf(byProcesses['2 processes']!), ratesOf(byProcesses['1 process']!)),
      threshold: 1.6,
      note: isPinned
        ? 'each process is pinned to its own core, PostgreSQL and the load generator to the other cores'
        : 'too few cores: the second process takes its processor time from PostgreSQL and the load generator',
    },
  ]
  const figures = Object.entries({ ...bySize, ...byConnections, ...byProcesses }).map(
    ([name, measurements]) => toFigure(name, measurements),
  )
  return {
    benchmark: 'growth',
    title: 'Growth',
    method:
      'Inquire: half of the requests read accepted records, and half read ended records, at random from ' +
      'the whole table. Table sizes are compared at 8 connections, so that the latency shows the table and ' +
      'not a queue. Processes are compared at 64 connections. Each size has its own database, and each ' +
      'round measures all sizes in turn.',
    ratios,
    figures,
    notes: isPinned ? [] : ['No process is pinned to a core, because that needs four cores.'],
    charts: [
      { file: 'growth.svg', title: 'p99 by table size', unit: 'milliseconds', bars: toBars(bySize, 'p99Ms') },
      {
        file: 'connections.svg',
        title: 'Inquire by number of connections',
        unit: 'requests per second',
        bars: toBars(byConnections, 'perSecond'),
      },
      {
        file: 'processes.svg',
        title: 'Inquire by number of processes',
        unit: 'requests per second',
        bars: toBars(byProcesses, 'perSecond'),
      },
    ],
  }
}

const toBars = (rounds: Rounds, value: 'p99Ms' | 'perSecond') =>
  Object.entries(rounds).map(([name, measurements]) => ({
    name,
    value: toFigure(name, measurements)[value]!,
  }))
