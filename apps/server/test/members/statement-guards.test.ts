// Each statement on members and on sessions checks everything itself, when it runs.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import type { Failure } from '../../src/failure.ts'
import { changeMember } from '../../src/members/change-member.ts'
import { setMemberRole } from '../../src/members/member.sql.ts'
import type { MemberRole } from '../../src/members/member.ts'
import { removeMember } from '../../src/members/remove-member.ts'
import { bindInvitation, findMemberships, findSession, insertSession } from '../../src/members/session.sql.ts'
import { findOperatorSession } from '../../src/operators/session.sql.ts'
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

test.each([
  ['remove', removeMember],
  ['demote', changeMember],
])('403: of two admins who %s each other at once, one stays', async (_what, operation) => {
  const one = await invite(db, { role: 'admin' })
  const { partner_id } = one
  const other = await invite(db, { role: 'admin', partner_id })
  const act =
    (caller: MemberRow, { member_id }: MemberRow) =>
    (tx: Database) =>
      operation(
        { db: tx } as never,
        {
          caller: { memberId: caller.member_id, partnerId: partner_id },
          path: { member_id },
          body: { role: 'viewer' },
          requestId: 'req_1',
        } as never,
      ).then(
        ({ status }) => status,
        ({ code }: Failure) => code,
      )
  expect(await interleave(db, AT_COMMIT, act(one, other), act(other, one))).toEqual([200, 'role_not_granted'])
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
