import type { Bench } from '../bench.ts'

const RECORDS = 10_000

/**
 * Creates three databases with the same number of records: for the service, for the peers, and for pgbench.
 * pgbench has its own, because the service would seal the audit rows that pgbench writes.
 */
export async function openDatabases(bench: Bench, benchmark: 'inquire' | 'sso') {
  const [database, peerDatabase, baselineDatabase] = await Promise.all([
    bench.openDatabase(benchmark, RECORDS),
    bench.openPeerDatabase(`${benchmark}_peers`, RECORDS),
    bench.openDatabase(`${benchmark}_baseline`, RECORDS),
  ])
  return { database, peerDatabase, baselineDatabase }
}
