import { onServer } from '@tiwala/server/testing-database'
import type { Bench } from '../bench.ts'
import { stopContenders } from '../contenders/contender.ts'
import { openDatabases } from '../fixtures/databases.ts'
import type { Section } from '../report/section.ts'
import { ratioOf, type Rounds, runRounds } from '../rounds.ts'
import { measureInquire, measureJourneys, targetOf } from './jobs.ts'

const SETTINGS = ['jit', 'shared_buffers', 'max_connections', 'max_wal_size', 'fsync', 'synchronous_commit']

/** Compares inquire and the sign-in over stock PostgreSQL and over the PostgreSQL server of the bench. */
export async function benchStock(bench: Bench): Promise<Section> {
  const { stockUrl, tiwala, plan } = bench
  if (!stockUrl) {
    const note = 'Not measured: `TEST_DATABASE_URL` is not set. Set it to the URL of a PostgreSQL server.'
    return { ratios: [], rounds: {}, notes: [note] }
  }
  const settings = await readSettings(stockUrl)
  await using stack = new AsyncDisposableStack()
  const stock = await openDatabases(bench, stack, stockUrl)
  stack.defer(stopContenders)
  const overStock = await tiwala.start(await stock.openDatabase('stock'), { name: 'stock' })
  const overBench = await tiwala.start(await bench.openDatabase('stock'), { name: 'bench' })
  const targets = {
    // The stock server may run on another machine, where its processor time cannot be measured.
    'stock PostgreSQL': targetOf({ ...bench, fixtures: stock.fixtures, postgresPid: NaN }, overStock),
    'bench PostgreSQL': targetOf(bench, overBench),
  }
  const run = (operation: string, count: number, measure: typeof measureInquire | typeof measureJourneys) =>
    runRounds(
      count,
      Object.entries(targets).map(([name, target]) => ({
        name: `${operation}, ${name}`,
        measure: (isWarmUpRound) => measure(bench, target, isWarmUpRound),
      })),
    )
  const rounds: Rounds = {
    ...(await run('inquire', plan.rounds, measureInquire)),
    ...(await run('SSO journey', plan.signIn.rounds, measureJourneys)),
  }
  const ratios = ['inquire', 'SSO journey'].map((operation) => ({
    name: `${operation}, stock PostgreSQL / bench PostgreSQL`,
    value: ratioOf(rounds, `${operation}, stock PostgreSQL`, `${operation}, bench PostgreSQL`),
    threshold: 0.9,
  }))
  const notes = [`Stock PostgreSQL: ${settings}. "The machine" describes the bench PostgreSQL.`]
  return { ratios, rounds, notes }
}

const readSettings = (url: string) =>
  onServer(url, async (client) => {
    const { rows } = await client.query<{ settings: string }>(
      `select current_setting('server_version') || '; ' ||
              string_agg(name || ' ' || current_setting(name), ', ' order by name) as settings
         from unnest($1::text[]) as name`,
      [SETTINGS],
    )
    return rows[0]!.settings
  })
