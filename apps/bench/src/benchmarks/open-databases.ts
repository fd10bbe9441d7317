import type { Bench } from '../bench.ts'

const RECORDS = 10_000

/** As many records in each: for us, for the peers, and for pgbench, whose audit rows our server would seal. */
export async function openDatabases(bench: Bench, part: 'inquire' | 'sso') {
  const [database, peerDatabase, limitDatabase] = await Promise.all([
    bench.openDatabase(part, RECORDS),
    bench.openPeerDatabase(`${part}_peers`, RECORDS),
    bench.openDatabase(`${part}_limit`, RECORDS),
  ])
  return { database, peerDatabase, limitDatabase }
}
