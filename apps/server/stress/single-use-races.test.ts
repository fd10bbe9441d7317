// SECURITY section 3: what works once, presented by many callers to several processes at once.
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { expect, test } from 'vitest'
import { refusalOf } from '../test/kit/api-client.ts'
import { NO_RETRIES } from '../test/kit/disclosing-requests.ts'
import { temporaryDatabase } from '../test/kit/temporary-resources.ts'
import type { Sabotage } from './inject-fault.ts'
import { processesThatFit } from './process-count.ts'
import { type Servers, startServers } from './servers.ts'
import { type Kind, KINDS } from './single-use-kinds.ts'

const [CALLERS, ARTEFACTS] = [200, 100]
const PROCESSES = await processesThatFit(4)
const CONTROL_ARTEFACTS = 10

/** What each artefact's callers were told, and how often; `given`: to the requests with these ids. */
async function race({ people }: Servers, { mint, use }: Kind, artefacts: number) {
  const told: Record<string, number>[] = []
  const given: string[] = []
  for (let index = 0; index < artefacts; index++) {
    const value = await mint(people[index % people.length]!)
    const counts: Record<string, number> = {}
    const call = async (caller: number) => {
      const answer = await use(people[caller % people.length]!, value)
      if (answer.ok) given.push(answer.headers.get('x-request-id')!)
      const words = answer.ok ? `${answer.status}` : await refusalOf(answer)
      counts[words] = (counts[words] ?? 0) + 1
      if (answer.ok) await answer.text()
    }
    await Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)))
    told.push(counts)
  }
  return { told, given }
}

/** The requests that the audit says were given something. */
async function recorded(databaseUrl: string, kind: string): Promise<string[]> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const { rows } = await client.query<{ request_id: string }>('select request_id from audit_event where kind = $1', [kind])
  await client.end()
  return rows.map(({ request_id }) => request_id)
}

/** Races for so many; tells of which artefact it was not true that it was given once and everybody else refused, and recorded so. */
async function judge(databaseUrl: string, servers: Servers, kind: Kind, artefacts: number) {
  const before = new Set(await recorded(databaseUrl, kind.audited))
  const startedAtMs = performance.now()
  const { told, given } = await race(servers, kind, artefacts)
  console.log(`${kind.what}: ${artefacts} x ${CALLERS} calls in ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`)
  const right = { 200: 1, [kind.used]: CALLERS - 1 }
  const faults = told.filter((counts) => JSON.stringify(counts, Object.keys(counts).toSorted()) !== JSON.stringify(right))
  const since = (await recorded(databaseUrl, kind.audited)).filter((id) => !before.has(id))
  return { faults, since: since.toSorted(), given: given.toSorted() }
}

test(`200: of ${CALLERS} callers at ${PROCESSES} processes with one artefact exactly one, ${ARTEFACTS} times for each kind`, async () => {
  await using database = await temporaryDatabase()
  await using servers = await startServers(PROCESSES, database, NO_RETRIES)
  for (const kind of KINDS) {
    const { faults, since, given } = await judge(database.url, servers, kind, ARTEFACTS)
    expect([kind.what, faults]).toEqual([kind.what, []])
    expect(given).toHaveLength(ARTEFACTS)
    expect(since).toEqual(given)
  }
})

/** A moment between the reading and the writing. */
const PAUSE = '(select count(*) from pg_sleep(0.1)) = 1'
const QR = 'where mac = any(${qrHmacs}) and (select is_current from access)'
/**
 * Each reads without a lock what it then writes: read-then-write. One statement uses up both kinds of QR value. Of codes and QR values
 * a unique key still keeps the second token or record out: there the callers are told of an error.
 */
const NAIVE: [Kind, Sabotage][] = [
  [KINDS[0], { file: 'sso/store.ts', from: 'order by x.id for update of x for share of c', to: `and ${PAUSE} order by x.id` }],
  [KINDS[1], { file: 'sso/store.ts', from: 'order by t.id for update of t for share of c', to: `where ${PAUSE} order by t.id` }],
  [KINDS[2], { file: 'authorizations/requests/store.ts', from: `${QR} for update`, to: `${QR} and ${PAUSE}` }],
]

test.each(NAIVE.map(([kind, sabotage]) => [kind.what, kind, sabotage] as const))(
  'control: of a server that reads %s first and then writes, it is noticed',
  async (_what, kind, sabotage) => {
    await using database = await temporaryDatabase()
    await using servers = await startServers(PROCESSES, database, {
      ...NO_RETRIES,
      NODE_OPTIONS: `--import=${pathToFileURL(`${import.meta.dirname}/inject-fault.ts`).href}`,
      SABOTAGE: JSON.stringify(sabotage),
    })
    const { faults } = await judge(database.url, servers, kind, CONTROL_ARTEFACTS)
    // How many depends on how closely the processes are asked together; of the server as it is, one would be too many.
    expect(faults).not.toEqual([])
  },
)
