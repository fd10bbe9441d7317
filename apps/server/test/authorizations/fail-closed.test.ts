// The server fails closed: with a part broken it refuses, and uses nothing up. This is the short form;
// stress/fail-closed*.test.ts break every handler, validator, key and table.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import {
  expectAll,
  type OperationName,
  PROFILE_OPERATIONS,
  sendPrepared,
  startServiceWithCanary,
} from '../kit/disclosing-requests.ts'

const { service, canary } = await startServiceWithCanary()

const run = (statement: string) => sql.raw(statement).execute(service.db)

const FAULTS = [
  {
    what: 'the audit table refuses every row',
    apply: 'alter table audit_event add constraint injected_fault check (false) not valid',
    revert: 'alter table audit_event drop constraint injected_fault',
  },
  {
    what: 'the citizen table is missing',
    apply: 'alter table citizen rename to gone',
    revert: 'alter table gone rename to citizen',
  },
  {
    what: 'the clock function is missing',
    apply: 'alter function clock_now() rename to gone',
    revert: 'alter function gone() rename to clock_now',
  },
]

const CANARY = '(select max(id) from citizen)'
/** The record that was accepted last, and a record that was accepted before it. */
const ACCEPTED = `from authorization_record where snapshot is not null and state = 'ACCEPTED'`
const RECORD = `(select id ${ACCEPTED} order by accepted_at desc limit 1)`
const EARLIER = `(select snapshot ${ACCEPTED} order by accepted_at limit 1)`

/** Events that are written together with the use of a QR value or of an access token. */
const CONSUMED = `audit_event where kind in ('profile.viewed', 'sso.authenticated')`

const KEEP = {
  citizen: `create table kept_citizen as select * from citizen where id = ${CANARY}`,
  record: `create table kept_record as select * from authorization_record where id = ${RECORD}`,
}
const PUT_BACK = [
  `update citizen c set data_key = k.data_key, profile = k.profile, passport = k.passport
     from kept_citizen k where c.id = k.id`,
  `update authorization_record r set snapshot = k.snapshot from kept_record k where r.id = k.id`,
  'drop table kept_citizen, kept_record',
]

/**
 * An attacker with access to the database moves encrypted values to rows where they would disclose other
 * data.
 */
const MOVES: { what: string; move: string; names: OperationName[] }[] = [
  {
    what: "the key, profile and passport of another citizen in a citizen's row",
    move: `update citizen c set data_key = o.data_key, profile = o.profile, passport = o.passport
             from citizen o
            where c.id = ${CANARY} and o.id = (select min(id) from citizen where passport is not null)`,
    names: ['inquire', 'profileByQr', 'authenticate'],
  },
  {
    what: "a record's snapshot as the citizen's profile",
    move: `update citizen set profile = (select snapshot from kept_record) where id = ${CANARY}`,
    names: ['profileByQr', 'authenticate'],
  },
  {
    what: "the citizen's profile as a record's snapshot",
    move: `update authorization_record set snapshot = (select profile from kept_citizen)
            where id = (select id from kept_record)`,
    names: ['inquire'],
  },
  {
    what: 'the snapshot of another record of the same citizen',
    move: `update authorization_record set snapshot = ${EARLIER} where id = (select id from kept_record)`,
    names: ['inquire'],
  },
]

describe('no disclosure, and nothing is used up', () => {
  test.each(FAULTS)('500: $what', async ({ apply, revert }) => {
    const prepared = await canary.prepare()
    await run(apply)
    const duringFault = await sendPrepared(canary.api, prepared).finally(() => run(revert))
    expect(duringFault).toEqual(expectAll('refused'))
    expect(new Set(Object.values(duringFault).map(({ status }) => status))).toEqual(new Set([500]))
    expect(await sendPrepared(canary.api, prepared)).toEqual(expectAll('right'))
  })

  test.each(MOVES)('500: $what', async ({ move, names }) => {
    const prepared = await canary.prepare()
    await run(KEEP.citizen)
    await run(KEEP.record)
    await run(move)
    const before = await service.countRows(CONSUMED)
    const moved = await sendPrepared(canary.api, prepared, names)
    expect(await service.countRows(CONSUMED)).toEqual(before)
    for (const back of PUT_BACK) await run(back)
    expect(moved).toEqual(expectAll('refused', names))
    expect(new Set(Object.values(moved).map(({ status }) => status))).toEqual(new Set([500]))
    // Nothing was used up: the same requests succeed after the values are moved back.
    expect(await sendPrepared(canary.api, prepared, names)).toEqual(expectAll('right', names))
  })

  test('200: control: without a fault, every request succeeds and is recorded in the audit', async () => {
    const prepared = await canary.prepare()
    const [before] = await service.countRows('audit_event')
    expect(await sendPrepared(canary.api, prepared)).toEqual(expectAll('right'))
    expect(await service.countRows('audit_event')).toEqual([before! + PROFILE_OPERATIONS.length])
  })
})
