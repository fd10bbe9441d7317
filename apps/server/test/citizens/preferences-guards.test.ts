// The statements on a citizen's preferences: what they store, and what they write to the audit.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { destroyDataKey } from '../../src/citizens/erase-citizen/erase-citizen.sql.ts'
import {
  findPreferences,
  putPreferences,
  reapplyRestriction,
  type Restriction,
} from '../../src/citizens/preferences/preferences.sql.ts'
import type { Database } from '../../src/database/connect.ts'
import { startServiceForFile } from '../kit/api-client.ts'
import { countBlocked, withLongLockTimeout } from '../kit/blocked-statements.ts'
import { DROP_AUDIT_ROWS, KEEP_AUDIT_ROWS } from '../kit/dropped-audit.ts'
import { interleave } from '../kit/interleave.ts'
import { addCitizen, type CitizenRow } from '../kit/rows.ts'

const { service } = await startServiceForFile()
const { db } = service

const [A, B, C] = ['PARTNER_A', 'PARTNER_B', 'PARTNER_C'] as const
await sql`
  insert into partner (partner_code, secret_code, name, purpose, scopes, ip_allow_list, limits)
  select code, code, name, purpose, scopes, ip_allow_list, limits
    from partner, unnest(${[A, B, C]}::text[]) code`.execute(db)

const read = async ({ uniqid_hmac }: CitizenRow) => (await findPreferences(db, [uniqid_hmac]))?.stored

/** The details of the audit of a request, without the subject. */
async function auditOf(requestId: string, { id, subject }: CitizenRow): Promise<(string | null)[]> {
  const { rows } = await sql<{ detail: string | null; citizen_id: number }>`
    select detail, citizen_id from audit_event where request_id = ${requestId}`.execute(db)
  expect(rows.every(({ citizen_id }) => citizen_id === id)).toBe(true)
  return rows.map(({ detail }) => detail && detail.replace(`${subject}: `, ''))
}

/** Runs a statement that waits while another transaction freezes the citizen. */
async function whileFreezing<Result>(
  { id }: CitizenRow,
  act: (tx: Database) => Promise<Result>,
): Promise<Result> {
  const holder = await db.startTransaction().execute()
  await sql`update citizen set frozen = true where id = ${id}`.execute(holder)
  const acting = withLongLockTimeout(db, act)
  await expect.poll(() => countBlocked(db)).toBeGreaterThan(0)
  await holder.commit().execute()
  return acting
}

describe('putPreferences', () => {
  const put = async (citizen: CitizenRow, frozen: boolean, ...blocked_partners: string[]) => {
    const requestId = randomUUID()
    const { stored, unknown } = await putPreferences(
      db,
      [citizen.uniqid_hmac],
      { frozen, blocked_partners },
      requestId,
    )
    if (unknown.length === 0) expect(stored).toEqual({ frozen, blocked_partners })
    return auditOf(requestId, citizen)
  }

  test('audits exactly what has changed', async () => {
    const [citizen, other] = [await addCitizen(db), await addCitizen(db)]
    await put(other, true, C)
    expect(await put(citizen, false)).toEqual([])
    expect(await put(citizen, false, A, B)).toEqual([`blocked ${A} ${B}`])
    expect(await put(citizen, true, A, B)).toEqual(['frozen'])
    expect(await put(citizen, true, A, B)).toEqual([])
    expect(await put(citizen, true, A, C)).toEqual([`blocked ${C}, unblocked ${B}`])
    expect(await put(citizen, false, B)).toEqual([`unfrozen, blocked ${B}, unblocked ${A} ${C}`])
    expect(await put(citizen, false, B, 'UNKNOWN')).toEqual([])
    expect(await read(citizen)).toEqual({ frozen: false, blocked_partners: [B] })
    expect(await read(other)).toEqual({ frozen: true, blocked_partners: [C] })
  })

  test('compares with what another request has stored while it waited', async () => {
    const citizen = await addCitizen(db)
    const requestId = randomUUID()
    const preferences = { frozen: true, blocked_partners: [] }
    await whileFreezing(citizen, (tx) => putPreferences(tx, [citizen.uniqid_hmac], preferences, requestId))
    expect(await auditOf(requestId, citizen)).toEqual([])
  })

  test('does not unfreeze a citizen who was erased while it waited', async () => {
    const citizen = await addCitizen(db)
    const erase = (tx: Database) =>
      destroyDataKey(tx, { uniqidHmacs: [citizen.uniqid_hmac] }, { actor: 'admin', requestId: 'test' })
    const preferences = { frozen: false, blocked_partners: [] }
    const [erased, { is_match }] = await interleave(db, { name: 'the first commits' }, erase, (tx) =>
      putPreferences(tx, [citizen.uniqid_hmac], preferences, randomUUID()),
    )
    expect([erased?.subject, is_match]).toEqual([citizen.subject, null])
    const { rows } = await sql`select frozen from citizen where id = ${citizen.id}`.execute(db)
    expect(rows).toEqual([{ frozen: true }])
  })
})

describe('reapplyRestriction', () => {
  const AT = new Date('2020-01-01T00:00:00Z')
  const DONE = { is_in_effect: false, is_changed_since: false }
  const IN_EFFECT = { is_in_effect: true, is_changed_since: false }
  const CHANGED = { is_in_effect: false, is_changed_since: true }

  const restrict = (tx: Database, { subject }: CitizenRow, restriction: Restriction, requestId: string) =>
    reapplyRestriction(tx, subject, restriction, AT, { kind: 'test', actor: 'admin', requestId })

  /** A citizen with these preferences, which no event of the audit has. */
  async function addWith(frozen: boolean, ...blocked: string[]): Promise<CitizenRow> {
    const citizen = await addCitizen(db)
    await sql`
      update citizen set frozen = ${frozen}, blocked_partner_ids = array(
        select id from partner where partner_code = any(${blocked}::text[]) order by id)
       where id = ${citizen.id}`.execute(db)
    return citizen
  }

  test.each<{
    what: string
    before: [boolean, ...string[]]
    freeze?: boolean
    block?: string[]
    audited?: string
  }>([
    { what: 'freezes', before: [false], freeze: true, audited: 'frozen' },
    { what: 'blocks', before: [false], block: [B, A], audited: `blocked ${A} ${B}` },
    { what: 'blocks, and leaves frozen', before: [true, C], block: [A], audited: `blocked ${A}` },
    { what: 'blocks only what is not blocked', before: [false, A], block: [A, B], audited: `blocked ${B}` },
    {
      what: 'freezes and blocks, if only one of the two is in effect',
      before: [true, A],
      freeze: true,
      block: [A, B],
      audited: `blocked ${B}`,
    },
    { what: 'freezes beside a block', before: [false, A], freeze: true, block: [A], audited: 'frozen' },
    { what: 'changes nothing that is in effect', before: [false, A, B], block: [A] },
    { what: 'changes nothing that is frozen', before: [true, A], freeze: true, block: [A] },
  ])('$what', async ({ before, freeze = false, block = [], audited }) => {
    const [citizen, other] = [await addWith(...before), await addWith(false)]
    const requestId = randomUUID()
    expect(await restrict(db, citizen, { freeze, block }, requestId)).toEqual(audited ? DONE : IN_EFFECT)
    const [wasFrozen, ...wereBlocked] = before
    const { rows } = await sql`
      select c.frozen, array(select partner_code from unnest(blocked_partner_ids) with ordinality as b (id, n)
                               join partner p using (id) order by partner_code) as blocked
        from citizen c where id = ${citizen.id}`.execute(db)
    expect(rows).toEqual([
      { frozen: wasFrozen || freeze, blocked: [...new Set([...wereBlocked, ...block])].toSorted() },
    ])
    expect(await auditOf(requestId, citizen)).toEqual(audited ? [audited] : [])
    expect(await read(other)).toEqual({ frozen: false, blocked_partners: [] })
  })

  test('changes nothing of an erased citizen, and finds no unknown one', async () => {
    const citizen = await addWith(false)
    await destroyDataKey(db, citizen, { actor: 'admin', requestId: 'test' })
    const restriction = { freeze: false, block: [A] }
    expect(await restrict(db, citizen, restriction, 'test')).toEqual(IN_EFFECT)
    const unknown = { ...citizen, subject: randomUUID() }
    expect(await restrict(db, unknown, restriction, 'test')).toBeUndefined()
  })

  test('changes nothing if the citizen has changed the preferences since', async () => {
    const [citizen, other] = [await addWith(false), await addWith(false)]
    const addEvent = ({
      kind = 'preferences.changed',
      citizen_id = citizen.id,
      actor = null as string | null,
      occurred_at = new Date(AT.getTime() + 1),
    }) =>
      sql`insert into audit_event (kind, request_id, citizen_id, actor, occurred_at)
          values (${kind}, '', ${citizen_id}, ${actor}, ${occurred_at})`.execute(db)
    await addEvent({ citizen_id: other.id })
    await addEvent({ kind: 'code.issued' })
    await addEvent({ actor: 'admin' })
    await addEvent({ occurred_at: AT })
    const control = await addWith(false)
    expect(await restrict(db, control, { freeze: true, block: [] }, 'test')).toEqual(DONE)
    expect(await restrict(db, citizen, { freeze: true, block: [] }, 'test')).toEqual(DONE)
    await addEvent({})
    expect(await restrict(db, citizen, { freeze: true, block: [A] }, 'test')).toEqual(CHANGED)
    expect(await read(citizen)).toEqual({ frozen: true, blocked_partners: [] })
  })

  test('sees what another request has stored while it waited', async () => {
    const citizen = await addWith(false)
    const restricting = (tx: Database) => restrict(tx, citizen, { freeze: true, block: [] }, 'test')
    expect(await whileFreezing(citizen, restricting)).toEqual(IN_EFFECT)
  })
})

test('a change fails if the audit drops its row', async () => {
  const citizen = await addCitizen(db)
  await sql.raw(DROP_AUDIT_ROWS).execute(db)
  const action = { kind: 'test', actor: 'admin', requestId: 'test' }
  const outcomes = await Promise.allSettled([
    putPreferences(db, [citizen.uniqid_hmac], { frozen: true, blocked_partners: [] }, 'test'),
    reapplyRestriction(db, citizen.subject, { freeze: true, block: [] }, new Date(), action),
  ])
  await sql.raw(KEEP_AUDIT_ROWS).execute(db)
  const failed = { reason: { message: 'the audit took 0 of 1 rows' } }
  expect(outcomes).toMatchObject([failed, failed])
  expect(await read(citizen)).toEqual({ frozen: false, blocked_partners: [] })
})
