// A citizen freezes all disclosures while a partner reads an accepted record through several processes
// without a pause.
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import type { ApiClient } from '../test/kit/api-client.ts'
import { temporaryDatabase } from '../test/kit/temporary-resources.ts'
import { DEFAULT_TIMEOUTS, startServers } from './servers.ts'

const FREEZES = 100
const READERS = 20
const PROCESSES = 4
const P99_MS = 250

/**
 * Sends requests until it is stopped. Collects the statuses of requests that ran completely during a freeze.
 */
function startReaders(clients: ApiClient[], trackingNo: string) {
  const state = { isFrozen: false, isOver: false, round: 0 }
  const reads = Array.from({ length: READERS }, () => 0)
  const whileFrozen = new Set<number>()
  async function read(reader: number): Promise<void> {
    while (!state.isOver) {
      const { isFrozen, round } = state
      const response = await clients[reader % clients.length]!.inquire(trackingNo)
      await response.arrayBuffer()
      reads[reader]!++
      if (isFrozen && state.isFrozen && round === state.round) whileFrozen.add(response.status)
    }
  }
  const all = Promise.all(reads.map((_, reader) => read(reader)))
  /**
   * Waits until each reader has had two more responses, so that at least one request ran completely in this
   * time.
   */
  const everyReader = async () => {
    const before = [...reads]
    await vi.waitFor(() => expect(reads.every((count, reader) => count >= before[reader]! + 2)).toBe(true), {
      timeout: 20_000,
      interval: 5,
    })
  }
  return { state, reads, whileFrozen, everyReader, all }
}

test(`200: ${FREEZES} freezes beside ${READERS} readers: p99 ${P99_MS} ms, then no disclosure`, async () => {
  await using database = await temporaryDatabase()
  await using servers = await startServers(PROCESSES, database, DEFAULT_TIMEOUTS)
  const [first] = servers.clients
  const trackingNo = await first!.createPendingRecord()
  expect((await first!.accept(trackingNo)).status).toBe(200)
  const client = new pg.Client(database.url)
  await client.connect()
  const disclosures = async () =>
    (
      await client.query<{ count: number }>(
        "select count(*)::int as count from audit_event where kind = 'profile.disclosed'",
      )
    ).rows[0]!.count
  const statuses: number[] = []
  const latenciesMs: number[] = []
  const put = async (frozen: boolean) => {
    const startedAtMs = performance.now()
    const { status } = await first!.send('replacePreferences', {
      headers: first!.asCitizen,
      json: { frozen, blocked_partners: [] },
    })
    latenciesMs.push(performance.now() - startedAtMs)
    statuses.push(status)
  }

  const readers = startReaders(servers.clients, trackingNo)
  let disclosedWhileFrozen = 0
  try {
    for (let round = 0; round < FREEZES; round++) {
      await readers.everyReader()
      await put(true)
      const disclosed = await disclosures()
      Object.assign(readers.state, { isFrozen: true, round })
      await readers.everyReader()
      disclosedWhileFrozen += (await disclosures()) - disclosed
      readers.state.isFrozen = false
      await put(false)
    }
  } finally {
    readers.state.isOver = true
    await readers.all
    await client.end()
  }
  const p99Ms = latenciesMs.toSorted((a, b) => a - b)[Math.floor(latenciesMs.length * 0.99)]!
  console.log(
    `${readers.reads.reduce((sum, count) => sum + count)} reads; ` +
      `a freeze took at most ${Math.round(p99Ms)} ms (p99)`,
  )
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect([[...readers.whileFrozen], disclosedWhileFrozen]).toEqual([[410], 0])
  expect(p99Ms).toBeLessThanOrEqual(P99_MS)
})
