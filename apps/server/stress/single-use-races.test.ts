// Many callers send the same single-use value to several processes at once.
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { expect, test } from 'vitest'
import { refusalOf } from '../test/kit/api-client.ts'
import { NO_RETRIES } from '../test/kit/disclosing-requests.ts'
import { type Kind, SINGLE_USE_KINDS } from '../test/kit/single-use-kinds.ts'
import { temporaryDatabase } from '../test/kit/temporary-resources.ts'
import { READ_THEN_WRITE_FAULTS } from './faults.ts'
import { processesThatFit } from './process-count.ts'
import { type Servers, startServers } from './servers.ts'

const [CALLERS, VALUES] = [200, 100]
const PROCESSES = await processesThatFit(4)
const CONTROL_VALUES = 10

/** Counts the outcomes for each value. `succeeded`: the ids of the requests that succeeded. */
async function race({ clients }: Servers, { mint, use }: Kind, values: number) {
  const outcomes: Record<string, number>[] = []
  const succeeded: string[] = []
  for (let index = 0; index < values; index++) {
    const value = await mint(clients[index % clients.length]!)
    const counts: Record<string, number> = {}
    const call = async (caller: number) => {
      const response = await use(clients[caller % clients.length]!, value)
      if (response.ok) succeeded.push(response.headers.get('x-request-id')!)
      const outcome = response.ok ? `${response.status}` : await refusalOf(response)
      counts[outcome] = (counts[outcome] ?? 0) + 1
      if (response.ok) await response.text()
    }
    await Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)))
    outcomes.push(counts)
  }
  return { outcomes, succeeded }
}

/** The ids of the requests that succeeded according to the audit. */
async function readRecordedIds(databaseUrl: string, kind: string): Promise<string[]> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const { rows } = await client.query<{ request_id: string }>(
    'select request_id from audit_event where kind = $1',
    [kind],
  )
  await client.end()
  return rows.map(({ request_id }) => request_id)
}

/** Runs the race. `faults`: the values that did not succeed exactly once with all other requests refused. */
async function raceAndCheck(databaseUrl: string, servers: Servers, kind: Kind, values: number) {
  const before = new Set(await readRecordedIds(databaseUrl, kind.audited))
  const startedAtMs = performance.now()
  const { outcomes, succeeded } = await race(servers, kind, values)
  console.log(
    `${kind.what}: ${values} x ${CALLERS} requests in ` +
      `${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`,
  )
  const right = { 200: 1, [kind.used]: CALLERS - 1 }
  const faults = outcomes.filter(
    (counts) => JSON.stringify(counts, Object.keys(counts).toSorted()) !== JSON.stringify(right),
  )
  const since = (await readRecordedIds(databaseUrl, kind.audited)).filter((id) => !before.has(id))
  return { faults, since: since.toSorted(), succeeded: succeeded.toSorted() }
}

test(`200: exactly one of ${CALLERS} requests with a value succeeds: ${VALUES} of each kind`, async () => {
  await using database = await temporaryDatabase()
  await using servers = await startServers(PROCESSES, database, NO_RETRIES)
  for (const kind of SINGLE_USE_KINDS) {
    const { faults, since, succeeded } = await raceAndCheck(database.url, servers, kind, VALUES)
    expect([kind.what, faults]).toEqual([kind.what, []])
    expect(succeeded).toHaveLength(VALUES)
    expect(since).toEqual(succeeded)
  }
})

/** One statement uses both kinds of QR value. */
const CONTROLS = READ_THEN_WRITE_FAULTS.map((fault, index) => [SINGLE_USE_KINDS[index]!, fault] as const)

test.each(CONTROLS.map(([kind, fault]) => [kind.what, kind, fault] as const))(
  'control: the race finds a server that reads %s before it writes',
  async (_what, kind, fault) => {
    await using database = await temporaryDatabase()
    await using servers = await startServers(PROCESSES, database, {
      ...NO_RETRIES,
      NODE_OPTIONS: `--import=${pathToFileURL(`${import.meta.dirname}/inject-fault.ts`).href}`,
      FAULT: JSON.stringify(fault),
    })
    const { faults } = await raceAndCheck(database.url, servers, kind, CONTROL_VALUES)
    // The number of faults depends on the timing. For the unchanged server, a single fault fails the test.
    expect(faults).not.toEqual([])
  },
)
