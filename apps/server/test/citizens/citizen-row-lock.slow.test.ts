// A statement that changes a citizen's row, or revokes a consent, waits only for the readers that came before
// it, not for later readers.
import { randomUUID } from 'node:crypto'
import { type ControlledTransaction, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { writeDisclosure } from '../../src/authorizations/disclosure-commit.sql.ts'
import { inquireRecord } from '../../src/authorizations/inquire/inquire.sql.ts'
import { createPendingRecord } from '../../src/authorizations/request-authorization/request-authorization.sql.ts'
import {
  revokeConsent,
  reapplyRevocation,
} from '../../src/authorizations/revoke-authorization/revoke-authorization.sql.ts'
import type { EncryptedCitizen } from '../../src/citizens/citizen-encryption.ts'
import { destroyDataKey } from '../../src/citizens/erase-citizen/erase-citizen.sql.ts'
import { putPreferences } from '../../src/citizens/preferences/preferences.sql.ts'
import { writeCitizens } from '../../src/citizens/put-citizens.sql.ts'
import { updateKeys } from '../../src/citizens/rewrap-citizens.sql.ts'
import type { Database } from '../../src/database/connect.ts'
import type { Access } from '../../src/partners/partner.ts'
import { startServiceForFile } from '../kit/api-client.ts'
import { passport, profile } from '../kit/canary-citizen.ts'

const { service, api } = await startServiceForFile()

type Row = EncryptedCitizen & { id: number; uniqid_hmac: string }
type Fixture = {
  access: Access
  citizen: Row
  trackingNo: string
  headers: { Authorization: string }
}

/** A citizen who has accepted a record of the sandbox partner. */
async function prepare(): Promise<Fixture> {
  const uniqid = `GATE-${randomUUID()}`
  const headers = { Authorization: `Bearer ${await service.tokens.citizen(uniqid)}` }
  const body = { profile: { ...profile, uniqid }, passport }
  expect(
    (await api.send('upsertCitizen', { headers: api.asOperator, path: { uniqid }, json: body })).ok,
  ).toBe(true)
  const trackingNo = await api.createPendingRecord(headers)
  expect((await api.accept(trackingNo, headers)).ok).toBe(true)
  const { rows } = await sql<Row & Access>`
    select c.*, p.id as "partnerId",
           k.id as "credentialId", p.access_version as "accessVersion"
      from authorization_record r join citizen c on c.id = r.citizen_id join partner p on p.id = r.partner_id
           join credential k on k.partner_id = p.id and k.kind = 'secret_token'
     where r.tracking_no = ${trackingNo}`.execute(service.db)
  const { partnerId, credentialId, accessVersion, ...citizen } = rows[0]!
  return { access: { partnerId, credentialId, accessVersion }, citizen, trackingNo, headers }
}

/** Returns whether the profile was disclosed. */
const READERS: Record<string, (db: Database, fixture: Fixture) => Promise<boolean>> = {
  inquireRecord: async (db, { access, trackingNo }) =>
    (await inquireRecord(db, { ...access, trackingNo, requestId: randomUUID(), timeZone: 'Asia/Manila' }))!
      .snapshot !== null,
  writeDisclosure: async (db, { access, trackingNo }) =>
    (await writeDisclosure(db, trackingNo, access, randomUUID())).is_recorded,
}

type Writer = { name: string; forbids: boolean; write: (db: Database, fixture: Fixture) => Promise<unknown> }

const ACTION = { kind: 'test', actor: 'test', requestId: 'test' }
const ORIGIN = { requestId: 'test', traceparent: null }
const WRITERS: Writer[] = [
  {
    name: 'freezing',
    forbids: true,
    write: (db, { citizen }) =>
      putPreferences(db, [citizen.uniqid_hmac], { frozen: true, blocked_partners: [] }, 'test'),
  },
  {
    name: 'blocking the partner',
    forbids: true,
    write: (db, { citizen }) =>
      putPreferences(
        db,
        [citizen.uniqid_hmac],
        { frozen: false, blocked_partners: [api.partner.partner_code] },
        'test',
      ),
  },
  {
    name: 'erasing',
    forbids: true,
    write: (db, { citizen }) => destroyDataKey(db, { uniqidHmacs: [citizen.uniqid_hmac] }, ACTION),
  },
  {
    name: 'revoking the consent',
    forbids: true,
    write: (db, { citizen, trackingNo }) => revokeConsent(db, [citizen.uniqid_hmac], trackingNo, ORIGIN),
  },
  {
    name: 'revoking the consent again after a restore',
    forbids: true,
    write: (db, { trackingNo }) =>
      reapplyRevocation(db, api.partner.partner_code, trackingNo, { ...ACTION, ...ORIGIN }),
  },
  {
    name: 'replacing the profile',
    forbids: false,
    write: (db, { citizen }) => writeCitizens(db, [{ ...citizen, is_known: true }], ACTION),
  },
  {
    name: 'rewrapping the key',
    forbids: false,
    write: (db, { citizen }) => updateKeys(db, [{ ...citizen, from: citizen.data_key }], ACTION),
  },
  {
    name: 'requesting authorization',
    forbids: false,
    write: async (db, { access, headers }) => {
      const qrValue = await api.issueQrValue('inquire', headers)
      const { rows } = await sql<{ hmac: string }>`select hmac from qr_code order by id desc limit 1`.execute(
        service.db,
      )
      return createPendingRecord(
        db,
        { ...access, qrValue, qrHmacs: [rows[0]!.hmac], requestId: 'test' },
        service.config,
      )
    },
  },
]

async function begin(): Promise<ControlledTransaction<unknown>> {
  const tx = await service.db.startTransaction().execute()
  // A long timeout: the speed of a busy machine is not tested here.
  await sql`select set_config('lock_timeout', '10s', true)`.execute(tx)
  return tx
}

/** Returns true when `count` statements wait for a lock, or false when `isOver` returns true first. */
async function areBlocked(count: number, isOver: () => boolean): Promise<boolean> {
  while (!isOver()) {
    const { rows } = await sql`
      select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`.execute(service.db)
    if (rows.length >= count) return true
    await new Promise(setImmediate)
  }
  return false
}

/** Starts a statement in its own transaction. */
function start<Result>(act: Promise<Result>) {
  let isOver = false
  const result = act.finally(() => (isOver = true))
  return { result, isOver: () => isOver }
}

describe.each(Object.entries(READERS))('while %s holds a read lock', (_name, read) => {
  test.each(WRITERS)('$name runs before a reader that came later', async ({ forbids, write }) => {
    const fixture = await prepare()
    const transactions = [await begin(), await begin(), await begin()] as const
    const [first, writer, second] = transactions
    try {
      expect(await read(first, fixture)).toBe(true)
      const written = start(write(writer, fixture))
      expect(await areBlocked(1, written.isOver)).toBe(true)
      const reading = start(read(second, fixture))
      expect(await areBlocked(2, reading.isOver)).toBe(true)
      await first.commit().execute()
      await written.result
      await writer.commit().execute()
      // The second reader read the record before it waited. The citizen's row counts as it is after the wait.
      expect(await reading.result).toBe(!forbids)
    } finally {
      for (const each of transactions) if (!each.isCommitted) await each.rollback().execute()
    }
  })
})

test('10 of 10 freezes succeed under constant reads, and no later reader discloses', async () => {
  const [FREEZES, COUNT, LOCK_SECONDS] = [10, 12, 0.02]
  const POLLING = { timeout: 20_000, interval: 5 }
  const fixture = await prepare()
  const hmac = [fixture.citizen.uniqid_hmac]
  let freeze: number | undefined
  let isOver = false
  let reads = 0
  let readsOfFrozen = 0
  let disclosedOfFrozen = 0
  const reader = async () => {
    while (!isOver) {
      const before = freeze
      const tx = await begin()
      const isDisclosed = await READERS['inquireRecord']!(tx, fixture)
      // As long as a commit takes on a slow disk.
      await sql`select pg_sleep(${LOCK_SECONDS})`.execute(tx)
      await tx.commit().execute()
      reads++
      if (before === undefined || before !== freeze) continue
      readsOfFrozen++
      if (isDisclosed) disclosedOfFrozen++
    }
  }
  const put = async (frozen: boolean) => {
    const tx = await begin()
    await putPreferences(tx, hmac, { frozen, blocked_partners: [] }, 'test').finally(() =>
      tx.commit().execute(),
    )
  }
  const readers = Promise.all(Array.from({ length: COUNT }, reader))
  try {
    for (let round = 0; round < FREEZES; round++) {
      const [readsBefore, frozenBefore] = [reads, readsOfFrozen]
      await expect.poll(() => reads - readsBefore, POLLING).toBeGreaterThanOrEqual(COUNT)
      await put(true)
      freeze = round
      await expect.poll(() => readsOfFrozen - frozenBefore, POLLING).toBeGreaterThanOrEqual(COUNT)
      freeze = undefined
      await put(false)
    }
  } finally {
    isOver = true
    await readers
  }
  expect(disclosedOfFrozen).toBe(0)
})
