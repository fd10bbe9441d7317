import type { Bench } from '../bench.ts'
import type { Contender } from '../contenders/contender.ts'
import { type Measured, runLoad } from '../load/run-load.ts'
import { withDatabase } from '../postgres/databases.ts'
import { ratioOf } from '../report/median.ts'
import type { Section } from '../report/section.ts'
import { log } from '../log.ts'
import { openSite } from '../fixtures/open-fixture-databases.ts'
import { issueCodes, type Fixtures } from '../fixtures/create-fixtures.ts'
import { inquireJob } from './inquire-job.ts'
import { runRounds, toFigure } from './run-rounds.ts'
import { ourJourney } from './sign-in-jobs.ts'

const RECORDS = 10_000
const BAR = 0.9
/** The bench's databases on another server are recognized by their names. */
const PREFIX = 'tiwala_bench_'
const SECTION = {
  part: 'stock',
  title: 'Stock PostgreSQL',
  how:
    'The same service over the PostgreSQL that the bench starts and over another one, with the configuration that it has, in turn. ' +
    'The service sets what it needs for its own sessions.',
  pictures: [],
}

/** Inquire and the sign-in over a PostgreSQL with its default configuration, beside the bench's own one. */
export async function benchStock(bench: Bench): Promise<Section> {
  const { stockUrl: url, plan, identity, startTiwala } = bench
  if (!url) return { ...SECTION, ratios: [], figures: [], notes: ['Not measured: `TEST_DATABASE_URL` names no PostgreSQL server.'] }
  log('Inquire and single sign-on over stock PostgreSQL')
  const settings = await describe(url)
  log(`  ${settings}`)
  const site = await openSite({ url, prefix: PREFIX, plan, identity, startTiwala })
  const servers: Contender[] = []
  try {
    const startOver = async (name: string, database: string) => {
      const server = await startTiwala(database, { name })
      servers.push(server)
      return server
    }
    const own = { fixtures: bench.fixtures, server: await startOver('embedded', await bench.openDatabase('stock_own', RECORDS)) }
    const stock = { fixtures: site.fixtures, server: await startOver('stock', await site.openDatabase('stock', RECORDS)) }
    // What PostgreSQL costs is known of the bench's own only: the other one may be on another machine.
    const sides = [
      { name: 'embedded', ...own, postgresPid: bench.postgres.pid },
      { name: 'stock', ...stock, postgresPid: undefined },
    ]
    const inquiries = await runRounds(
      plan.rounds,
      sides.map((side) => ({ name: `inquire, ${side.name}`, measure: inquiry(plan, side) })),
    )
    const journeys = await runRounds(
      plan.signIn.rounds,
      sides.map((side) => ({ name: `journey, ${side.name}`, measure: journey(plan, side) })),
    )
    return { ...SECTION, ...toFigures({ ...inquiries, ...journeys }), notes: [`Stock: ${settings}. The embedded one is described above.`] }
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()))
    await site.drop()
  }
}

type Side = { server: Contender; fixtures: Fixtures; postgresPid: number | undefined }

const inquiry =
  (plan: Bench['plan'], { server, fixtures, postgresPid }: Side) =>
  (isFirst: boolean) => {
    const load = isFirst ? { ...plan, seconds: plan.firstSeconds } : plan
    return runLoad(inquireJob(fixtures, [server.origin], load), [server], postgresPid)
  }

const journey =
  (plan: Bench['plan'], { server, fixtures, postgresPid }: Side) =>
  async (isFirst: boolean) => {
    const { journeys, warmUp, first } = plan.signIn
    const items = await issueCodes(server.origin, fixtures, isFirst ? first : journeys + warmUp)
    return runLoad(ourJourney(fixtures, { origin: server.origin, plan, items }), [server], postgresPid)
  }

const describe = (url: string) =>
  withDatabase(url, async (client) => {
    const { rows } = await client.query<{ described: string }>(
      `select current_setting('server_version') || '; ' || string_agg(name || ' ' || current_setting(name), ', ' order by name) as described
         from unnest(array['jit', 'shared_buffers', 'max_connections', 'max_wal_size', 'fsync', 'synchronous_commit']) as name`,
    )
    return rows[0]!.described
  })

const TITLES = { inquire: 'inquire', journey: 'SSO journey' }

function toFigures(played: Record<string, Measured[]>): Pick<Section, 'ratios' | 'figures'> {
  const rates = (name: string) => played[name]!.map(({ perSecond }) => perSecond)
  return {
    ratios: Object.entries(TITLES).map(([name, title]) => ({
      name: `${title} on stock PostgreSQL / on the embedded one`,
      value: ratioOf(rates(`${name}, stock`), rates(`${name}, embedded`)),
      bar: BAR,
    })),
    figures: Object.entries(TITLES).flatMap(([name, title]) =>
      ['stock', 'embedded'].map((place) => toFigure(`${title}, ${place}`, played[`${name}, ${place}`]!)),
    ),
  }
}
