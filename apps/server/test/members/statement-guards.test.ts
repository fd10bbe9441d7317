// Each statement on members and on sessions checks everything itself, when it runs.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import type { Database } from '../../src/database/connect.ts'
import type { Failure } from '../../src/failure.ts'
import { changeMember } from '../../src/members/change-member.ts'
import { inviteMember } from '../../src/members/invite-member.ts'
import { setMemberRole } from '../../src/members/member.sql.ts'
import type { MemberRole } from '../../src/members/member.ts'
import { removeMember } from '../../src/members/remove-member.ts'
import { bindInvitation, findMemberships, findSession, insertSession } from '../../src/members/session.sql.ts'
import { findOperatorSession } from '../../src/operators/session.sql.ts'
import { changeSettings } from '../../src/partner-settings/change-settings.ts'
import { createPartnerCache } from '../../src/partners/partner-cache.ts'
import { interleave } from '../kit/interleave.ts'
import { add, addPartner, NOW, read, type Row, secondsFromNow, type Values } from '../kit/rows.ts'
import { openDatabaseForFile } from '../kit/statement-database.ts'
import { rolledBack } from '../kit/stopped-clock.ts'

const db = await openDatabaseForFile()
const AT_COMMIT = { name: 'the first commits' }

type MemberRow = Row & { member_id: string; partner_id: number; email: string }

/** An invitation of a partner of its own. */
const invite = async (tx: Database, values: Values = {}): Promise<MemberRow> =>
  add(tx, 'member', {
    member_id: randomUUID(),
    partner_id: (await addPartner(tx)).id,
    email: `${randomUUID()}@staff.example`,
    role: 'viewer',
    ...values,
  })

const signIn = (subject: string, email: string) => (tx: Database) =>
  insertSession(tx, { hmac: subject, subject, email, partnerCode: undefined, hours: 8, requestId: 'req_1' })

test('of two persons with the address of an invitation, one is bound', async () => {
  const { member_id: memberId } = await invite(db)
  const bind = (subject: string) => (tx: Database) =>
    bindInvitation(tx, { memberId, subject, requestId: 'req_1' })
  expect(await interleave(db, AT_COMMIT, bind('one'), bind('other'))).toEqual([true, false])
})

test('of two persons who sign in with the address of an invitation, one gets a session', async () => {
  const { member_id, email } = await invite(db)
  const sessions = await interleave(db, AT_COMMIT, signIn('first', email), signIn('second', email))
  expect(sessions).toEqual([member_id, undefined])
})

type AnyOperation = (service: never, call: never) => Promise<{ status: number }>

/** The status of a request of a member, or the code of its refusal. */
const statusOf =
  (operation: unknown, { member_id: memberId, partner_id: partnerId }: MemberRow, request: object) =>
  async (tx: Database): Promise<number | string> => {
    const [partner] = await read(
      tx,
      `select partner_code as "partnerCode" from partner where id = ${partnerId}`,
    )
    return (operation as AnyOperation)(
      { db: tx, config: readConfig({}), partnerCache: createPartnerCache() } as never,
      {
        caller: { memberId, partnerId, ...partner },
        query: {},
        header: () => undefined,
        requestId: 'req_1',
        ...request,
      } as never,
    ).then(
      ({ status }) => status,
      ({ code }: Failure) => code,
    )
  }

/** Two admins of a partner. */
async function twoAdmins(): Promise<[MemberRow, MemberRow]> {
  const one = await invite(db, { role: 'admin' })
  return [one, await invite(db, { role: 'admin', partner_id: one.partner_id })]
}

/** A request that takes the role of a member away. */
const ending = ({ member_id }: MemberRow) => ({ path: { member_id }, body: { role: 'viewer' } })

const REMOVALS = [
  ['remove', removeMember],
  ['demote', changeMember],
] as const

test.each(REMOVALS)('403: of two admins who %s each other at once, one stays', async (_what, operation) => {
  const [one, other] = await twoAdmins()
  const acts = [statusOf(operation, one, ending(other)), statusOf(operation, other, ending(one))] as const
  expect(await interleave(db, AT_COMMIT, ...acts)).toEqual([200, 'role_not_granted'])
})

describe.each([
  ['invites no member', inviteMember, { email: 'new@staff.example', role: 'admin' }],
  ['changes no setting', changeSettings, { ip_allow_list: [] }],
])('403: an admin who is removed or demoted meanwhile %s', (_what, operation, body) => {
  test.each(REMOVALS)('%s', async (_way, remove) => {
    const [one, other] = await twoAdmins()
    const acts = [statusOf(remove, one, ending(other)), statusOf(operation, other, { body })] as const
    expect(await interleave(db, AT_COMMIT, ...acts)).toEqual([200, 'role_not_granted'])
  })
})

test.each([
  ['lasts', {}, true],
  ['has ended', { expires_at: NOW }, false],
  ['was not used for so long', { used_at: secondsFromNow(-15 * 60) }, false],
])('a session that %s', async (_what, values, isFound) => {
  await rolledBack(db, async (tx) => {
    const { id } = await invite(tx)
    const session = {
      hmac: 'hmac',
      expires_at: secondsFromNow(1),
      used_at: secondsFromNow(1 - 15 * 60),
      ...values,
    }
    await add(tx, 'member_session', { ...session, member_id: id })
    await add(tx, 'operator_session', { ...session, session_id: 'ses_1', subject: 'admin', scopes: '' })
    const found = [await findSession(tx, ['hmac'], 15), await findOperatorSession(tx, ['hmac'], 15)]
    expect(found.map(Boolean)).toEqual([isFound, isFound])
  })
})

test('a person signs in to the membership that was used last, of those that have not ended', async () => {
  await rolledBack(db, async (tx) => {
    const [subject, email] = ['dora', 'dora@staff.example']
    const suspended = await addPartner(tx, { status: 'SUSPENDED' })
    const bind = (member_id: string, seconds: number, values: Values = {}) =>
      invite(tx, { member_id, email, subject, signed_in_at: secondsFromNow(seconds), ...values })
    await bind('before', -9)
    await bind('last', -5)
    await bind('removed', -1, { removed_at: NOW })
    await bind('suspended', -1, { partner_id: suspended.id })
    await invite(tx, { email, subject: 'another person' })
    expect(await signIn(subject, email)(tx)).toBe('last')
    expect(await findMemberships(tx, 'last')).toHaveLength(2)
  })
})

test('409: a partner has at most 1,000 members; one that was removed does not count', async () => {
  await rolledBack(db, async (tx) => {
    const admin = await invite(tx, { role: 'admin' })
    await read(
      tx,
      `insert into member (member_id, partner_id, email, role)
       select 'many ' || n, ${admin.partner_id}, n || '@many.example', 'viewer' from generate_series(1, 999) n`,
    )
    const inviteOne = statusOf(inviteMember, admin, { body: { email: 'new@many.example', role: 'viewer' } })
    expect(await inviteOne(tx)).toBe('member_exists')
    await read(tx, `update member set removed_at = clock_now() where member_id = 'many 1'`)
    expect(await inviteOne(tx)).toBe(201)
  })
})

test('the role of a removed member does not change; the same role again is no change', async () => {
  await rolledBack(db, async (tx) => {
    const { id, member_id, partner_id } = await invite(tx)
    const setRole = (role: MemberRole) =>
      setMemberRole(tx, partner_id, member_id, role, { kind: 'member.changed', actor: 'a', requestId: 'r' })
    expect((await setRole('viewer'))!.role).toBe('viewer')
    const events = `select from audit_event where kind = 'member.changed' and partner_id = ${partner_id}`
    expect(await read(tx, events)).toHaveLength(0)
    await read(tx, `update member set removed_at = clock_now() where id = ${id}`)
    expect(await setRole('admin')).toBeUndefined()
  })
})
