import type { Bench } from '../bench.ts'
import type { Contender } from '../contenders/contender.ts'
import type { Fixtures } from '../fixtures/create-fixtures.ts'
import { openFixtureDatabases } from '../fixtures/open-fixture-databases.ts'
import { type Measurement, runLoad } from '../load/run-load.ts'
import { log } from '../log.ts'
import { withDatabase } from '../postgres/databases.ts'
import { medianRatio } from '../report/median.ts'
import type { Section } from '../report/section.ts'
import { inquireJob } from './inquire-job.ts'
import { ratesOf, runRounds, toFigure } from './run-rounds.ts'
import { prepareJourneyJob } from './sign-in-jobs.ts'

const RECORDS = 10_000
const THRESHOLD = 0.9
/** Marks the databases of the bench on a server that also holds others. */
const PREFIX = 'tiwala_bench_'
const SECTION = {
  benchmark: 'stock',
  title: 'Stock PostgreSQL',
  method:
    'The same service, in turn, over the PostgreSQL server that the bench starts (bench PostgreSQL) and ' +
    'over the server of `TEST_DATABASE_URL` with its own configuration (stock PostgreSQL). The service ' +
    'sets what it needs in its own sessions.',
  charts: [],
}

/** Compares inquire and the sign-in over stock PostgreSQL and over the PostgreSQL server of the bench. */
export async function benchStock(bench: Bench): Promise<Section> {
  const { stockUrl: url, plan, identityProvider, startTiwala } = bench
  if (!url) {
    const note = 'Not measured: `TEST_DATABASE_URL` is not set. Set it to the URL of a PostgreSQL server.'
    return { ...SECTION, ratios: [], figures: [], notes: [note] }
  }
  log('Inquire and single sign-on over stock PostgreSQL')
  const settings = await readSettings(url)
  log(`  ${settings}`)
  const stockDatabases = await openFixtureDatabases({
    url,
    prefix: PREFIX,
    plan,
    identityProvider,
    startTiwala,
  })
  const servers: Contender[] = []
  try {
    const startServer = async (name: string, database: string) => {
      const server = await startTiwala(database, { name })
      servers.push(server)
      return server
    }
    const variants: Variant[] = [
      {
        name: 'bench PostgreSQL',
        fixtures: bench.fixtures,
        server: await startServer('bench-postgres', await bench.openDatabase('stock_own', RECORDS)),
        postgresPid: bench.postgres.pid,
      },
      {
        name: 'stock PostgreSQL',
        fixtures: stockDatabases.fixtures,
        server: await startServer('stock-postgres', await stockDatabases.openDatabase('stock', RECORDS)),
        // The stock server may run on another machine, where its processor time cannot be measured.
        postgresPid: undefined,
      },
    ]
    const inquireMeasurements = await runRounds(
      plan.rounds,
      variants.map((variant) => ({ name: `inquire, ${variant.name}`, measure: inquireTask(plan, variant) })),
    )
    const journeyMeasurements = await runRounds(
      plan.signIn.rounds,
      variants.map((variant) => ({
        name: `SSO journey, ${variant.name}`,
        measure: journeyTask(plan, variant),
      })),
    )
    const notes = [`Stock PostgreSQL: ${settings}. "The machine" describes the bench PostgreSQL.`]
    return { ...SECTION, ...toFigures({ ...inquireMeasurements, ...journeyMeasurements }), notes }
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()))
    await stockDatabases.drop()
  }
}

type Variant = { name: string; server: Contender; fixtures: Fixtures; postgresPid: number | undefined }

const inquireTask =
  (plan: Bench['plan'], { server, fixtures, postgresPid }: Variant) =>
  (isWarmUpRound: boolean) => {
    const load = isWarmUpRound ? { ...plan, seconds: plan.warmUpRoundSeconds } : plan
    return runLoad(inquireJob(fixtures, [server.origin], load), [server], postgresPid)
  }

const journeyTask =
  (plan: Bench['plan'], { server, fixtures, postgresPid }: Variant) =>
  async (isWarmUpRound: boolean) => {
    const job = await prepareJourneyJob(fixtures, { origin: server.origin, plan }, isWarmUpRound)
    return runLoad(job, [server], postgresPid)
  }

const SETTING_NAMES = [
  'jit',
  'shared_buffers',
  'max_connections',
  'max_wal_size',
  'fsync',
  'synchronous_commit',
]

const readSettings = (url: string) =>
  withDatabase(url, async (client) => {
    const { rows } = await client.query<{ settings: string }>(
      `select current_setting('server_version') || '; ' ||
              string_agg(name || ' ' || current_setting(name), ', ' order by name) as settings
         from unnest($1::text[]) as name`,
      [SETTING_NAMES],
    )
    return rows[0]!.settings
  })

const OPERATIONS = ['inquire', 'SSO journey']

function toFigures(measurements: Record<string, Measurement[]>): Pick<Section, 'ratios' | 'figures'> {
  const rates = (name: string) => ratesOf(measurements[name]!)
  const names = OPERATIONS.flatMap((operation) => [
    `${operation}, stock PostgreSQL`,
    `${operation}, bench PostgreSQL`,
  ])
  return {
    ratios: OPERATIONS.map((operation) => ({
      name: `${operation}, stock PostgreSQL / bench PostgreSQL`,
      value: medianRatio(rates(`${operation}, stock PostgreSQL`), rates(`${operation}, bench PostgreSQL`)),
      threshold: THRESHOLD,
    })),
    figures: names.map((name) => toFigure(name, measurements[name]!)),
  }
}
