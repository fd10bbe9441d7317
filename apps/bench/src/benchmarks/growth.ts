import type { Bench } from '../bench.ts'
import type { Contender } from '../contenders/contender.ts'
import { shareOutCores, pin } from '../contenders/pin-process.ts'
import { type Measured, runLoad } from '../load/run-load.ts'
import { ratioOf } from '../report/median.ts'
import type { Ratio, Section } from '../report/section.ts'
import { log } from '../log.ts'
import { inquireJob } from './inquire-job.ts'
import { runRounds, toFigure } from './run-rounds.ts'

/** At which growth of the table is looked at: few enough that what is seen is the table and not a queue. */
const CONNECTIONS = 8
const MANY_CONNECTIONS = 64

const named = (records: number) => `${records.toLocaleString('en')} records`
const connected = (connections: number) => `${connections} ${connections === 1 ? 'connection' : 'connections'}`

/** Half of what is asked for are accepted records, the other half ended ones drawn from all of the table. */
export async function benchGrowth(bench: Bench): Promise<Section> {
  const { plan, fixtures, postgres, startTiwala } = bench
  const { records: sizes, rounds, firstSeconds, seconds, connections } = plan.growth
  log(`Growth: tables of ${sizes.map(named).join(', ')}`)
  const servers: Contender[] = []
  for (const records of sizes) {
    const name = `growth_${records}`
    servers.push(await startTiwala(await bench.openDatabase(name, records), { name }))
  }
  const measure = (who: Contender[], ended: number, many: number, cores?: string) => (isFirst: boolean) => {
    const load = { ...plan, seconds: isFirst ? firstSeconds : seconds, connections: many }
    return runLoad(inquireJob(fixtures, who.map(({ origin }) => origin), load, ended), who, postgres.pid, cores) // prettier-ignore
  }

  const bySize = await runRounds(
    rounds,
    sizes.map((records, index) => ({ name: named(records), measure: measure([servers[index]!], records - plan.accepted, CONNECTIONS) })),
  )
  const [smallest] = servers as [Contender]
  const ended = sizes[0]! - plan.accepted
  const byConnections = await runRounds(
    Math.ceil(rounds / 2),
    connections.map((many) => ({ name: connected(many), measure: measure([smallest], ended, many) })),
    { isWarm: true },
  )
  const second = await startTiwala(bench.databaseOf(`growth_${sizes[0]}`), { name: 'second' })
  const cores = shareOutCores()
  if (cores) {
    pin(smallest.pid, cores.servers[0])
    pin(second.pid, cores.servers[1])
    pin(postgres.pid, cores.others)
  }
  const byProcesses = await runRounds(rounds, [
    { name: '1 process', measure: measure([smallest], ended, MANY_CONNECTIONS, cores?.others) },
    { name: '2 processes', measure: measure([smallest, second], ended, MANY_CONNECTIONS, cores?.others) },
  ])
  await Promise.all([...servers, second].map(({ stop }) => stop()))
  return toSection(sizes, { bySize, byConnections, byProcesses }, cores !== undefined)
}

type Played = Record<'bySize' | 'byConnections' | 'byProcesses', Record<string, Measured[]>>

function toSection(sizes: number[], { bySize, byConnections, byProcesses }: Played, isPinned: boolean): Section {
  const p99 = (name: string) => bySize[name]!.map(({ p99Ms }) => p99Ms)
  const p50 = (name: string) => bySize[name]!.map(({ p50Ms }) => p50Ms)
  const rates = (name: string) => byProcesses[name]!.map(({ perSecond }) => perSecond)
  const [smallest, ...larger] = sizes.map(named) as [string, ...string[]]
  const ratios: Ratio[] = [
    ...larger.flatMap((name) => [
      { name: `p99 at ${name} / at ${smallest}`, value: ratioOf(p99(name), p99(smallest)), bar: 1.3, isAtMost: true },
      { name: `p50 at ${name} / at ${smallest}`, value: ratioOf(p50(name), p50(smallest)) },
    ]),
    {
      name: 'two processes / one',
      value: ratioOf(rates('2 processes'), rates('1 process')),
      bar: 1.6,
      note: isPinned
        ? 'each process pinned to a core of its own, PostgreSQL and the load to the others'
        : 'too few cores: the second process takes from PostgreSQL and the load generator what it gains',
    },
  ]
  const figures = Object.entries({ ...bySize, ...byConnections, ...byProcesses }).map(([name, measured]) => toFigure(name, measured))
  const pictureOf = (played: Record<string, Measured[]>, file: string, title: string, pick: 'p99Ms' | 'perSecond', unit: string) => ({
    file,
    title,
    unit,
    bars: Object.entries(played).map(([name, measured]) => ({ name, value: toFigure(name, measured)[pick]! })),
  })
  return {
    part: 'growth',
    title: 'Growth',
    how:
      'Inquire, half of accepted records and half of ended ones drawn at random from the whole table. Sizes at 8 connections, so that what is ' +
      'seen is the table and not a queue; processes at 64. Each size has its own database, and the sizes take turns.',
    ratios,
    figures,
    notes: isPinned ? [] : ['Nothing is pinned: that needs four cores.'],
    pictures: [
      pictureOf(bySize, 'growth.svg', 'p99 by size of the table', 'p99Ms', 'milliseconds'),
      pictureOf(byConnections, 'connections.svg', 'Inquire by connections', 'perSecond', 'requests a second'),
      pictureOf(byProcesses, 'processes.svg', 'Inquire by processes', 'perSecond', 'requests a second'),
    ],
  }
}
