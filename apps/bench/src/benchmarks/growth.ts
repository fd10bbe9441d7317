import type { Bench } from '../bench.ts'
import type { Contender } from '../contenders/contender.ts'
import { assignCores, pinProcess } from '../contenders/process-usage.ts'
import type { Section } from '../report/section.ts'
import { ratioOf, runRounds, type Task } from '../rounds.ts'
import { measureInquire, targetOf } from './jobs.ts'

/** Few connections for the table sizes, so that the latency shows the table and not a queue. */
const SIZE_CONNECTIONS = 8
const PROCESS_CONNECTIONS = 64

/**
 * Measures inquire by table size, by number of connections, and by number of processes. Half of the requests
 * read accepted records, and half read ended records from the whole table.
 */
export async function benchGrowth(bench: Bench): Promise<Section> {
  const { plan, tiwala } = bench
  const { sizes, rounds, connections: connectionCounts, ...lengths } = plan.growth
  const bySizes = sizes.map((records) => ({ records, label: `${records.toLocaleString('en')} records` }))
  const servers: Contender[] = []
  for (const records of sizes) {
    const name = `growth_${records}`
    servers.push(await tiwala.start(await bench.openDatabase(name, records), { name }))
  }
  const [smallest, records] = [servers[0]!, sizes[0]!]
  const task = (name: string, processes: Contender[], connections: number, size = records): Task => ({
    name,
    measure: (isWarmUpRound) =>
      measureInquire(bench, targetOf(bench, ...processes), isWarmUpRound, {
        ...plan,
        ...lengths,
        connections,
        endedRecords: size - plan.acceptedRecords,
        cores: cores?.others,
      }),
  })
  let cores: ReturnType<typeof assignCores>
  const bySize = await runRounds(
    rounds,
    bySizes.map(({ label, records: size }, index) => task(label, [servers[index]!], SIZE_CONNECTIONS, size)),
  )
  const byConnections = await runRounds(
    Math.ceil(rounds / 2),
    connectionCounts.map((count) => ({
      ...task(`${count} ${count === 1 ? 'connection' : 'connections'}`, [smallest], count),
      hasNoWarmUpRound: true,
    })),
  )
  const second = await tiwala.start(bench.urlOf(`growth_${records}`), { name: 'second' })
  cores = assignCores()
  if (cores) {
    pinProcess(smallest.pid, cores.servers[0])
    pinProcess(second.pid, cores.servers[1])
    pinProcess(bench.postgresPid, cores.others)
  }
  const byProcesses = await runRounds(rounds, [
    task('1 process', [smallest], PROCESS_CONNECTIONS),
    task('2 processes', [smallest, second], PROCESS_CONNECTIONS),
  ])

  const [first, ...larger] = Object.keys(bySize) as [string, ...string[]]
  return {
    ratios: [
      ...larger.flatMap((label) => [
        {
          name: `p99 at ${label} / at ${first}`,
          value: ratioOf(bySize, label, first, 'p99Ms'),
          threshold: 1.3,
          isAtMost: true,
        },
        { name: `p50 at ${label} / at ${first}`, value: ratioOf(bySize, label, first, 'p50Ms') },
      ]),
      {
        name: 'two processes / one process',
        value: ratioOf(byProcesses, '2 processes', '1 process'),
        threshold: 1.6,
        note: cores
          ? 'each process is pinned to its own core, PostgreSQL and the load generator to the other cores'
          : 'too few cores: the second process takes its processor time from PostgreSQL and the load generator',
      },
    ],
    rounds: { ...bySize, ...byConnections, ...byProcesses },
    notes: cores ? [] : ['No process is pinned to a core, because that needs four cores.'],
  }
}
