import { inject } from 'vitest'
import { CONNECTIONS_PER_PROCESS } from '../src/database/session.ts'
import { onServer } from '../src/testing/database.ts'

/** Connections of the tests themselves. */
const OTHER_CONNECTIONS = 20
const MIN_PROCESSES = 2

/**
 * The wanted number of server processes, or fewer if `max_connections` is too low: two for its default of
 * 100.
 */
export async function processesThatFit(wanted: number): Promise<number> {
  let limit = 0
  await onServer(inject('postgres').url, async (admin) => {
    const { rows } = await admin.query<{ limit: number }>(
      `select current_setting('max_connections')::int as limit`,
    )
    limit = rows[0]!.limit
  })
  const fitting = Math.floor((limit - OTHER_CONNECTIONS) / CONNECTIONS_PER_PROCESS)
  if (fitting >= wanted) return wanted
  const needed = wanted * CONNECTIONS_PER_PROCESS + OTHER_CONNECTIONS
  const reason = `max_connections is ${limit}; ${wanted} server processes need ${needed}`
  if (fitting < MIN_PROCESSES)
    throw new Error(`${reason}, and this test needs at least ${MIN_PROCESSES}. Raise max_connections.`)
  console.log(`${reason}: this test runs with ${fitting} processes`)
  return fitting
}
