// The statements on sandboxes read and change only the sandbox that they name, while it lasts.
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { createPartnerCache } from '../../src/partners/partner-cache.ts'
import type { CreatedSandbox } from '../../src/sandbox/bootstrap-format.ts'
import { endSandboxes } from '../../src/sandbox/end-sandboxes.ts'
import { listEvents, setRefusedDeliveries, takeRefusal, upsertEvent } from '../../src/sandbox/inbox.sql.ts'
import {
  addAdvance,
  findByInboxKey,
  findBeforeCondition,
  findEnded,
  findPendingAnswers,
  findSandbox,
  insertSandbox,
  listTrackingNos,
  lockCreation,
  readOccupancy,
  setBeforeCondition,
} from '../../src/sandbox/sandboxes.sql.ts'
import { createApiClient, startServiceForFile } from '../kit/api-client.ts'
import {
  ACCEPTED,
  ENDING,
  addCitizen,
  addParties,
  addPartner,
  addRecord,
  addSandbox,
  read,
  secondsFromNow,
} from '../kit/rows.ts'
import { rolledBack, RUN_CLOCK } from '../kit/stopped-clock.ts'

const { service } = await startServiceForFile()

/** Adds a citizen to a sandbox. Returns it. */
async function insertMember(tx: Database, sandbox: { id: number }, behavior = 'manual') {
  const citizen = await addCitizen(tx)
  await sql`insert into sandbox_citizen values (${citizen.id}, ${sandbox.id}, ${behavior})`.execute(tx)
  return citizen
}

/** Two sandboxes of two partners. */
async function insertTwo(tx: Database) {
  const { partner, otherPartner } = await addParties(tx)
  const [sandbox, other] = [await addSandbox(tx, partner), await addSandbox(tx, otherPartner)]
  return { partner, otherPartner, sandbox, other }
}

const DURATIONS = [
  { what: 'lasts', expires_at: sql`now() + interval '1 s'`, hasEnded: false },
  { what: 'ends at this moment', expires_at: sql`now()`, hasEnded: true },
  { what: 'has ended', expires_at: sql`now() - interval '1 s'`, hasEnded: true },
]
test.each(DURATIONS)('a sandbox that $what', ({ expires_at, hasEnded }) =>
  rolledBack(service.db, async (tx) => {
    const { sandbox: other } = await insertTwo(tx)
    await insertMember(tx, other)
    const partner = await addPartner(tx)
    const sandbox = await addSandbox(tx, partner, { expires_at })
    const citizen = await insertMember(tx, sandbox)
    const found = [await findSandbox(tx, sandbox.sandbox_id), await findByInboxKey(tx, sandbox.inbox_key)]
    const named = [...found, ...(await findEnded(tx, 10))].map((each) =>
      each ? [each.id, each.partner_code, each.citizen_ids] : 'none',
    )
    const own = [sandbox.id, partner.partner_code, [citizen.id]]
    expect(named).toEqual(hasEnded ? ['none', 'none', own] : [own, own])
  }),
)

test('findPendingAnswers: the pending records of the citizens that answer, oldest first', () =>
  rolledBack(service.db, async (tx) => {
    const { partner, sandbox } = await insertTwo(tx)
    const [accepting, declining, manual] = [
      await insertMember(tx, sandbox, 'accepts'),
      await insertMember(tx, sandbox, 'declines'),
      await insertMember(tx, sandbox, 'manual'),
    ]
    const second = await addRecord(tx, partner, accepting)
    const first = await addRecord(tx, partner, declining, { requested_at: secondsFromNow(-90) })
    await addRecord(tx, partner, accepting, ENDING)
    await addRecord(tx, partner, accepting, { ...ACCEPTED, expires_at: secondsFromNow(60) })
    await addRecord(tx, partner, manual)
    // The preferences of these refuse the partner.
    for (const change of ['frozen = true', `blocked_partner_ids = array[${partner.id}]`]) {
      const refusing = await insertMember(tx, sandbox, 'accepts')
      await addRecord(tx, partner, refusing, { requested_at: secondsFromNow(-120) })
      await read(tx, `update citizen set ${change} where id = ${refusing.id}`)
    }
    expect(await findPendingAnswers(tx)).toEqual([
      { uniqid_hmac: declining.uniqid_hmac, tracking_no: first.tracking_no, answer: 'DECLINED' },
      { uniqid_hmac: accepting.uniqid_hmac, tracking_no: second.tracking_no, answer: 'ACCEPTED' },
    ])
  }))

test('endSandboxes: if one cannot be deleted, the others still are; ended ones take no place', async () => {
  const db = service.db
  const { partner, otherPartner } = await addParties(db)
  const ended = { expires_at: sql`now() - interval '1 day'` }
  const [stuck, other] = [await addSandbox(db, partner, ended), await addSandbox(db, otherPartner, ended)]
  const citizen = await insertMember(db, stuck)
  const visitor = { addressHmac: '', networkHmac: null }
  expect((await readOccupancy(db, visitor)).ofAddress.count).toBe(0)
  await sql`create table keeps (citizen_id bigint references citizen)`.execute(db)
  await sql`insert into keeps values (${citizen.id})`.execute(db)
  const readLeft = () => read(db, `select id from sandbox where id in (${stuck.id}, ${other.id})`)
  const warn = vi.fn<() => void>()
  const ending = { db, partnerCache: createPartnerCache<never>() as never, log: { warn } as never }
  await endSandboxes(ending)
  expect(warn).toHaveBeenCalledOnce()
  expect(await readLeft()).toEqual([{ id: stuck.id }])
  await sql`drop table keeps`.execute(db)
  await endSandboxes(ending)
  expect(await readLeft()).toEqual([])
})

test('lockCreation: a second creation waits for the first', () =>
  rolledBack(service.db, async (tx) => {
    await lockCreation(tx)
    const second = service.db.transaction().execute(async (other) => {
      await sql`set local lock_timeout = '20ms'`.execute(other)
      return lockCreation(other)
    })
    await expect(second).rejects.toThrow('lock timeout')
  }))

describe('a change of one sandbox leaves the other as it is', () => {
  test('takeRefusal: takes each refusal once', () =>
    rolledBack(service.db, async (tx) => {
      const { sandbox, other } = await insertTwo(tx)
      await setRefusedDeliveries(tx, sandbox.id, 1)
      await setRefusedDeliveries(tx, other.id, 2)
      expect([await takeRefusal(tx, sandbox.id), await takeRefusal(tx, sandbox.id)]).toEqual([true, false])
      const left = `select refused_deliveries as left from sandbox where id in (${sandbox.id}, ${other.id})`
      expect(await read(tx, `${left} order by id`)).toEqual([{ left: 0 }, { left: 2 }])
    }))

  test('addAdvance: up to the maximum, and no further', () =>
    rolledBack(service.db, async (tx) => {
      const { sandbox } = await insertTwo(tx)
      const advance = (seconds: number) => addAdvance(tx, sandbox.id, seconds, 100)
      expect([await advance(60), await advance(41), await advance(40)]).toEqual([60, undefined, 100])
    }))

  test('upsertEvent: keeps the newest 100 events and forgeries, and each that is received again is the newest', () =>
    rolledBack(service.db, async (tx) => {
      const { sandbox, other } = await insertTwo(tx)
      await sql.raw(RUN_CLOCK).execute(tx)
      const receive = (into: { id: number }, webhook_id: string | null, signature_ok = true) =>
        upsertEvent(tx, into.id, {
          is_refused: false,
          webhook_id,
          webhook_timestamp: null,
          webhook_signature: null,
          signature_ok,
          body: '',
        })
      for (const each of [other, sandbox])
        for (let id = 1; id <= 100; id++) await receive(each, `event ${id}`)
      await receive(sandbox, 'event 1')
      const [newest, ...others] = await listEvents(tx, sandbox.id)
      expect([newest, others.length]).toEqual([
        expect.objectContaining({ webhook_id: 'event 1', attempts: 2 }),
        99,
      ])
      // A forgery of an event, and events without an id, are other events. They push no event out.
      for (const id of ['event 1', null, null]) await receive(sandbox, id, false)
      const kept = await listEvents(tx, sandbox.id)
      expect(kept.map(({ webhook_id }) => webhook_id)).toEqual([
        null,
        null,
        'event 1',
        'event 1',
        ...Array.from({ length: 99 }, (_, index) => `event ${100 - index}`),
      ])
      for (let id = 1; id <= 100; id++) await receive(sandbox, `forged ${id}`, false)
      const forged = (await listEvents(tx, sandbox.id)).filter(({ signature_ok }) => !signature_ok)
      expect([forged.length, forged.at(-1)?.webhook_id]).toEqual([100, 'forged 1'])
      for (let count = 0; count < 101; count++) await receive(sandbox, null, false)
      expect(await listEvents(tx, sandbox.id)).toHaveLength(200)
      expect((await listEvents(tx, other.id)).at(-1)).toMatchObject({ webhook_id: 'event 1', attempts: 1 })
    }))
})

describe('a condition of the partner', async () => {
  const created = await fetch(`${service.url}/sandbox`, { method: 'POST' })
  const own = (await created.json()) as CreatedSandbox
  const { operator } = await createApiClient(service.url, own)
  const path = { partner_code: own.partner.partner_code }
  const readPartner = async () => (await operator('readPartner', { path })).body
  const set = async (condition: string) => {
    const { status } = await fetch(`${service.url}/sandbox/${own.sandbox_id}/condition`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ condition }),
    })
    expect(status).toBe(200)
  }
  const body = {
    scopes: ['PROFILE_INQUIRE' as const, 'SSO_AUTHENTICATION' as const],
    ip_allow_list: ['127.0.0.0/8', '::1'],
    limits: { requests_per_minute: 50, per_day: 1_000 },
  }
  await operator('changePartner', { path, body })
  const before = await readPartner()

  test.each([
    ['suspended', { status: 'SUSPENDED' }],
    ['without_profile_scopes', { scopes: ['SSO_AUTHENTICATION'] }],
    ['other_address_only', { ip_allow_list: ['192.0.2.1'] }],
    ['one_request_per_minute', { limits: { ...before.limits, requests_per_minute: 1 } }],
    ['one_request_per_day', { limits: { ...before.limits, per_day: 1 } }],
  ])('%s changes its own field, and the next one restores it', async (condition, change) => {
    await set(condition)
    expect(await readPartner()).toEqual({ ...before, ...change })
    await set('other_address_only')
    expect(await readPartner()).toEqual({ ...before, ip_allow_list: ['192.0.2.1'] })
    await set('normal')
    expect(await readPartner()).toEqual(before)
  })

  test('normal does not resume a partner that its administrator has suspended', async () => {
    await operator('suspendPartner', { path })
    for (const condition of ['one_request_per_day', 'suspended', 'normal']) {
      await set(condition)
      expect((await readPartner()).status).toBe('SUSPENDED')
    }
  })
})

test('insertSandbox: a sandbox that exists has no condition, since the start restores its partner', () =>
  rolledBack(service.db, async (tx) => {
    const { partner_code: partnerCode } = await addPartner(tx)
    const sandbox = { sandboxId: 'sbx_again', inboxKey: 'key', partnerCode, hours: null }
    const insert = () => insertSandbox(tx, { ...sandbox, addressHmac: '', networkHmac: '' })
    const { id } = await insert()
    await setBeforeCondition(tx, id, { status: 'SUSPENDED' })
    await insert()
    expect(await findBeforeCondition(tx, id)).toEqual({})
  }))

test('listTrackingNos: the records between the partner and the citizens of the sandbox', () =>
  rolledBack(service.db, async (tx) => {
    const { partner, otherPartner, citizen, otherCitizen } = await addParties(tx)
    const own = await addRecord(tx, partner, citizen)
    await addRecord(tx, partner, otherCitizen)
    await addRecord(tx, otherPartner, citizen)
    const listed = await listTrackingNos(tx, { partner_id: partner.id, citizen_ids: [citizen.id] })
    expect(listed).toEqual([own.tracking_no])
  }))
