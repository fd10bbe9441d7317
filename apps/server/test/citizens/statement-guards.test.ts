// The statements on citizens change and find the citizens that they name, and no others.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { destroyDataKey } from '../../src/citizens/erase-citizen/erase-citizen.sql.ts'
import { findStoredCitizens, writeCitizens } from '../../src/citizens/put-citizens.sql.ts'
import { countWithOldKeys, findWithOldKeys, updateKeys } from '../../src/citizens/rewrap-citizens.sql.ts'
import { startServiceForFile } from '../kit/api-client.ts'
import { addCitizen, type CitizenRow } from '../kit/rows.ts'

const { service } = await startServiceForFile()
const { db } = service

type Action = { kind: string; actor: string; requestId: string }
const newAction = (): Action => ({ kind: 'citizen.tested', actor: 'admin', requestId: randomUUID() })

const read = async ({ id }: { id: number }) =>
  (await sql<CitizenRow>`select * from citizen where id = ${id}`.execute(db)).rows[0]

const auditOf = async (action: Action | undefined) =>
  (
    await sql`
      select kind, actor, citizen_id, detail from audit_event
       where request_id = ${action?.requestId ?? null} order by citizen_id`.execute(db)
  ).rows

/** The audit of an action on these citizens. Without an action, there is none. */
const auditFor = (action: Action | undefined, ...citizens: { id: number }[]) =>
  action
    ? citizens.map(({ id }) => ({ kind: action.kind, actor: 'admin', citizen_id: id, detail: null }))
    : []

async function addErased(): Promise<CitizenRow> {
  const citizen = await addCitizen(db)
  await destroyDataKey(db, { subject: citizen.subject }, newAction())
  return citizen
}

describe.each([
  { who: 'the service', act: (): Action | undefined => undefined },
  { who: 'an administrator', act: newAction },
])('by $who', ({ act }) => {
  test('writeCitizens gives each known citizen its own profile, and creates each new one', async () => {
    const [first, second, other] = [await addCitizen(db), await addCitizen(db), await addCitizen(db)]
    const before = await read(other)
    const created = { ...first, subject: randomUUID(), uniqid_hmac: randomUUID(), profile: 'created' }
    const action = act()
    const written = await writeCitizens(
      db,
      [
        { ...first, profile: 'first', passport: 'newer', is_known: true },
        { ...second, profile: 'second', is_known: true },
        { ...created, is_known: false },
      ],
      action,
    )
    expect(written).toEqual(new Set([first.subject, second.subject, created.subject]))
    expect(await Promise.all([first, second, other].map(read))).toMatchObject([
      { profile: 'first', passport: 'newer', data_key: first.data_key },
      { profile: 'second' },
      before!,
    ])
    const { rows } = await sql<{ id: number }>`
      select * from citizen where subject = ${created.subject}`.execute(db)
    expect(rows).toMatchObject([{ uniqid_hmac: created.uniqid_hmac, profile: 'created' }])
    expect(await auditOf(action)).toEqual(auditFor(action, first, second, rows[0]!))
  })

  test('writeCitizens writes no citizen that was created or erased since it was looked up', async () => {
    const [known, created, erased] = [await addCitizen(db), await addCitizen(db), await addErased()]
    const before = await Promise.all([created, erased].map(read))
    const action = act()
    const written = await writeCitizens(
      db,
      [
        { ...created, profile: 'new', is_known: false },
        { ...known, profile: 'new', is_known: true },
        { ...erased, profile: 'new', is_known: true },
      ],
      action,
    )
    expect(written).toEqual(new Set([known.subject]))
    expect(await Promise.all([created, erased].map(read))).toEqual(before)
    expect(await auditOf(action)).toEqual(auditFor(action, known))
  })
})

test('findStoredCitizens finds the citizens of these HMACs, and no others', async () => {
  const [first, second] = [await addCitizen(db), await addCitizen(db)]
  await addCitizen(db)
  const storedOf = ({ uniqid_hmac, subject, data_key, profile, passport }: CitizenRow) => [
    uniqid_hmac,
    { subject, data_key, profile, passport },
  ]
  const found = await findStoredCitizens(db, [first.uniqid_hmac, second.uniqid_hmac, 'unknown'])
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries([storedOf(first), storedOf(second)]))
})

test.each(['subject', 'HMAC'])('destroyDataKey by the %s erases this citizen once, audited', async (by) => {
  const [own, other] = [await addCitizen(db), await addCitizen(db)]
  const before = await read(other)
  const key = by === 'HMAC' ? { uniqidHmacs: [own.uniqid_hmac] } : { subject: own.subject }
  const [first, again] = [newAction(), newAction()]
  expect(await destroyDataKey(db, key, first)).toMatchObject({ subject: own.subject })
  expect(await destroyDataKey(db, key, again)).toBeUndefined()
  expect(await read(own)).toMatchObject({ data_key: null, uniqid: null, profile: null, frozen: true })
  expect(await read(other)).toEqual(before)
  expect(await auditOf(first)).toEqual([
    { kind: 'citizen.erased', actor: 'admin', citizen_id: own.id, detail: own.subject },
  ])
  expect(await auditOf(again)).toEqual([])
})

test('findWithOldKeys and countWithOldKeys leave out current keys and erased citizens', async () => {
  const add = (wrappingKid: string, pepperKid: string) =>
    addCitizen(db, { data_key: `${wrappingKid}.key`, uniqid_hmac: `${pepperKid}.${randomUUID()}` })
  const [oldKey, oldPepper, current] = [
    await add('old', 'pepper'),
    await add('wrapping', 'old'),
    await add('wrapping', 'pepper'),
  ]
  const erased = await addErased()
  const found = await findWithOldKeys(db, 'wrapping', 'pepper', 1_000, [])
  const ids = new Set(found.map(({ id }) => id))
  expect([oldKey, oldPepper, current, erased].map(({ id }) => ids.has(id))).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect(await countWithOldKeys(db, 'wrapping', 'pepper')).toBe(found.length)
  const others = await findWithOldKeys(db, 'wrapping', 'pepper', 1_000, [oldKey.id])
  expect(others).toEqual(found.filter(({ id }) => id !== oldKey.id))
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from citizen where data_key is not null`.execute(db)
  expect(found).toHaveLength(rows[0]!.count - 1)
})

test('updateKeys changes a citizen whose key is still the one that was read, and no other', async () => {
  const [own, twin, changed] = [
    await addCitizen(db, { data_key: 'same' }),
    await addCitizen(db, { data_key: 'same' }),
    await addCitizen(db, { data_key: 'changed' }),
  ]
  const before = await Promise.all([twin, changed].map(read))
  const [ownMac, changedMac] = [randomUUID(), randomUUID()]
  const [ownRow, changedRow] = [
    { id: own.id, from: 'same', data_key: 'new', uniqid_hmac: ownMac },
    { id: changed.id, from: 'read', data_key: 'new', uniqid_hmac: changedMac },
  ]
  await updateKeys(db, [ownRow, changedRow], newAction())
  expect(await read(own)).toMatchObject({ data_key: 'new', uniqid_hmac: ownMac })
  expect(await Promise.all([twin, changed].map(read))).toEqual(before)
})
