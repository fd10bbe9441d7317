import { onServer } from '../src/testing/database.ts'

/** The time of the database, as a target of a restore. */
export async function readNow(url: string): Promise<string> {
  let now = ''
  await onServer(url, async (client) => {
    const { rows } = await client.query<{ now: string }>('select clock_timestamp()::text as now')
    now = rows[0]!.now
  })
  return now
}
