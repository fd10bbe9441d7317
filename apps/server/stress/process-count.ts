import { inject } from 'vitest'
import { CONNECTIONS_PER_PROCESS } from '../src/database/session.ts'
import { onServer } from '../src/testing/database.ts'

/** For the tests themselves. */
const OTHER_CONNECTIONS = 20
const FEWEST = 2

/** As many server processes as a test wants, or as the given PostgreSQL has connections for: two, with the default `max_connections` of 100. */
export async function processesThatFit(wanted: number): Promise<number> {
  let limit = 0
  await onServer(inject('postgres').url, async (admin) => {
    const { rows } = await admin.query<{ limit: number }>(`select current_setting('max_connections')::int as limit`)
    limit = rows[0]!.limit
  })
  const fitting = Math.floor((limit - OTHER_CONNECTIONS) / CONNECTIONS_PER_PROCESS)
  if (fitting >= wanted) return wanted
  const needed = wanted * CONNECTIONS_PER_PROCESS + OTHER_CONNECTIONS
  const reason = `max_connections is ${limit}; ${wanted} server processes need ${needed}`
  if (fitting < FEWEST) throw new Error(`${reason}, and ${FEWEST} the fewest for this test: raise it`)
  console.log(`${reason}: this test runs with ${fitting} processes`)
  return fitting
}
