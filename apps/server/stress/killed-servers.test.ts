// kill -9 of server processes under load.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { temporaryDatabase } from '../test/kit/temporary-resources.ts'
import { findInconsistencies } from './check-consistency.ts'
import { processesThatFit } from './process-count.ts'
import { startServers } from './servers.ts'
import { startTraffic } from './traffic.ts'

const KILLS = 20
const PROCESSES = await processesThatFit(4)
/** Between two kills, all processes run. */
const MAX_PAUSE_MS = 1_000

test(`${KILLS} kills of ${PROCESSES} processes: no acknowledged action is lost or repeated`, async () => {
  await using database = await temporaryDatabase()
  await using servers = await startServers(PROCESSES, database)
  await using traffic = startTraffic(servers)
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(Math.random() * MAX_PAUSE_MS)
    await servers.kill(kill % PROCESSES)
    await servers.restart(kill % PROCESSES)
  }
  await traffic.end()
  const { ledger } = traffic
  console.log(`${ledger.acknowledged.length} acknowledged;`, ledger.responses)
  expect(await findInconsistencies(database.url, ledger, servers.clients[0]!)).toEqual([])
  expect(servers.died).toEqual([])
  // Control: the processes were under load, so requests were cut off.
  expect(ledger.responses['no response']).toBeGreaterThan(KILLS)
})

const newest = (from: string, condition = 'true') => `(select max(id) from ${from} where ${condition})`
const LOSSES = {
  'an audit event': `
    alter table audit_event disable trigger insert_only;
    delete from audit_event where id = ${newest('audit_event', "kind = 'sso.authenticated'")}`,
  'an acceptance': `
    update authorization_record set state = 'PENDING'
     where id = ${newest('authorization_record', "state = 'ACCEPTED'")}`,
  'the use of a token': `
    update access_token set used_at = null where id = ${newest('access_token', 'used_at is not null')}`,
  'the use of a code': `
    delete from access_token where id = ${newest('access_token')};
    update exchange_code set redeemed_at = null where id not in (select exchange_code_id from access_token)`,
  'an event': `
    delete from callback_event
     where id = ${newest('callback_event', "type = 'authorization.accepted'")}`,
  // The reverse: a second event.
  'the uniqueness of an event': `insert into callback_event (partner_id, type, data)
    select partner_id, type, data from callback_event
     where id = ${newest('callback_event', "type = 'authorization.accepted'")}`,
}

test('control: the check finds each loss that the test makes by hand', async () => {
  await using database = await temporaryDatabase()
  await using servers = await startServers(1, database)
  await using traffic = startTraffic(servers)
  await sleep(2_000)
  await traffic.end()
  const check = () => findInconsistencies(database.url, traffic.ledger, servers.clients[0]!)
  const admin = new pg.Client(database.url)
  await admin.connect()
  let knownFaults = await check()
  expect(knownFaults).toEqual([])
  for (const [what, statement] of Object.entries(LOSSES)) {
    await admin.query(statement)
    const faults = await check()
    expect([what, faults.length - knownFaults.length]).toEqual([what, expect.any(Number)])
    expect([what, faults.filter((fault) => !knownFaults.includes(fault)).length > 0]).toEqual([what, true])
    knownFaults = faults
  }
  await admin.end()
})
