// The network between clients and servers, and between servers and PostgreSQL, delays, reorders, cuts and
// halves what it carries.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createApiClient } from '../test/kit/api-client.ts'
import { temporaryDatabase } from '../test/kit/temporary-resources.ts'
import { type Chances, openChaosProxy } from './chaos-proxy.ts'
import { findInconsistencies } from './check-consistency.ts'
import { DEFAULT_TIMEOUTS, measureRecoveryMs, startServers } from './servers.ts'
import { startTraffic } from './traffic.ts'

const PROCESSES = 2
const CHAOS_MS = 30_000
const CALM_MS = 3_000
/** A request takes one or two chunks in each direction. */
const TO_SERVERS: Chances = { delay: 0.1, reorder: 0.1, cut: 0.03, halve: 0.03 }
/** A connection to PostgreSQL serves many requests, so that few cuts reach many of them. */
const TO_POSTGRES: Chances = { delay: 0.05, reorder: 0.05, cut: 0.003, halve: 0.003 }

const PLACES: [string, { toServers: Chances; toPostgres: Chances }][] = [
  ['clients and servers', { toServers: TO_SERVERS, toPostgres: {} }],
  ['servers and PostgreSQL', { toServers: {}, toPostgres: TO_POSTGRES }],
  ['all of them', { toServers: TO_SERVERS, toPostgres: TO_POSTGRES }],
]

test.each(PLACES)(
  'chaos between %s: no write is lost, no value works twice, no caller waits without end',
  async (_place, { toServers, toPostgres }) => {
    await using database = await temporaryDatabase()
    await using postgres = await openChaosProxy(database.url)
    await using servers = await startServers(
      PROCESSES,
      { url: postgres.url, folder: database.folder },
      DEFAULT_TIMEOUTS,
    )
    await using first = await openChaosProxy(servers.urls[0]!)
    await using second = await openChaosProxy(servers.urls[1]!)
    const clients = await Promise.all([first, second].map(({ url }) => createApiClient(url)))
    await using traffic = startTraffic({ clients })
    for (const proxy of [first, second]) proxy.disturb(toServers)
    postgres.disturb(toPostgres)
    await sleep(CHAOS_MS)
    for (const proxy of [first, second, postgres]) proxy.calm()
    const recoveryMs = await measureRecoveryMs({ clients })
    await sleep(CALM_MS)
    await traffic.end()
    const { ledger } = traffic
    console.log(
      `${ledger.acknowledged.length} acknowledged, slowest ${Math.round(ledger.slowestMs)} ms, `,
      `back after ${Math.round(recoveryMs)} ms;`,
      ledger.responses,
      { clients: first.counts, postgres: postgres.counts },
    )
    expect(await findInconsistencies(database.url, ledger, servers.clients[0]!)).toEqual([])
    expect(servers.died).toEqual([])
    expect(ledger.acknowledged.length).toBeGreaterThan(0)
    // Otherwise the test has shown nothing.
    const kindsAt = (place: Chances, counts: Chances) =>
      Object.keys(place).map((kind) => counts[kind as keyof Chances])
    const counts = [...kindsAt(toServers, first.counts), ...kindsAt(toPostgres, postgres.counts)]
    expect(counts.length).toBeGreaterThan(0)
    expect(counts).not.toContain(0)
  },
)
