// The statements that show a citizen their authorization records: only their own, in their current state.
import { expect, test } from 'vitest'
import { findPendingProfile } from '../../src/authorizations/answer/answer.sql.ts'
import { findConsent } from '../../src/authorizations/consent.sql.ts'
import { listConsents } from '../../src/authorizations/list-authorizations/list-authorizations.sql.ts'
import { listChanges } from '../../src/authorizations/stream-events/stream-events.sql.ts'
import type { Database } from '../../src/database/connect.ts'
import { startServiceForFile } from '../kit/api-client.ts'
import { ACCEPTED, ENDING, addParties, addRecord, read, secondsFromNow } from '../kit/rows.ts'
import { rolledBack } from '../kit/stopped-clock.ts'

const { service } = await startServiceForFile()

/** Records of two citizens with two partners. */
async function insertRecords(tx: Database) {
  const { partner, otherPartner, citizen, otherCitizen } = await addParties(tx)
  const at = (seconds: number) => ({ requested_at: secondsFromNow(seconds) })
  const pending = await addRecord(tx, partner, citizen, at(-4))
  const later = await addRecord(tx, otherPartner, citizen, at(-3))
  const ending = await addRecord(tx, partner, citizen, { ...ENDING, ...at(-2) })
  const accepted = await addRecord(tx, otherPartner, citizen, { ...ACCEPTED, ...at(-1) })
  const foreign = await addRecord(tx, partner, otherCitizen)
  return { partner, otherPartner, hmacs: [citizen.uniqid_hmac], pending, later, ending, accepted, foreign }
}

test('findConsent and findPendingProfile: the record that is named, of this citizen', () =>
  rolledBack(service.db, async (tx) => {
    const { partner, otherPartner, hmacs, ...rows } = await insertRecords(tx)
    const find = (name: keyof typeof rows) => findConsent(tx, hmacs, rows[name].tracking_no)
    const { partner_code } = partner
    expect(await find('pending')).toMatchObject({
      id: rows.pending.id,
      partner_code,
      state: 'PENDING',
    })
    expect(await find('later')).toMatchObject({
      id: rows.later.id,
      partner_code: otherPartner.partner_code,
      state: 'PENDING',
    })
    expect(await find('ending')).toMatchObject({ id: rows.ending.id, state: 'EXPIRED' })
    expect(await find('accepted')).toMatchObject({ id: rows.accepted.id, state: 'ACCEPTED' })
    expect(await find('foreign')).toBeUndefined()

    const pendingIds = await Promise.all(
      Object.values(rows).map(
        async ({ tracking_no }) => (await findPendingProfile(tx, hmacs, tracking_no))?.id,
      ),
    )
    const { pending, later, ending } = rows
    expect(pendingIds).toEqual([pending.id, later.id, ending.id, undefined, undefined])
  }))

test('listConsents: the current states, and those of one state', () =>
  rolledBack(service.db, async (tx) => {
    const { hmacs, pending, later, ending, accepted } = await insertRecords(tx)
    const list = async (state?: 'PENDING' | 'EXPIRED' | 'ACCEPTED') =>
      (await listConsents(tx, hmacs, { state, after: undefined, limit: 10 })).map((row) => [
        row.id,
        row.state,
      ])
    const [isAccepted, isEnding, isLater, isPending] = [
      [accepted.id, 'ACCEPTED'],
      [ending.id, 'EXPIRED'],
      [later.id, 'PENDING'],
      [pending.id, 'PENDING'],
    ]
    expect(await list()).toEqual([isAccepted, isEnding, isLater, isPending])
    expect(await list('PENDING')).toEqual([isLater, isPending])
    expect(await list('EXPIRED')).toEqual([isEnding])
    expect(await list('ACCEPTED')).toEqual([isAccepted])
  }))

test('listChanges: from that time on; a pending record expires two seconds after its time', () =>
  rolledBack(service.db, async (tx) => {
    const { partner, citizen } = await addParties(tx)
    const since = await read<{ at: Date }>(tx, `select clock_now() - interval '60 s' as at`)
    await addRecord(tx, partner, citizen, { tracking_no: 'expired', expires_at: secondsFromNow(-2) })
    await addRecord(tx, partner, citizen, { tracking_no: 'waiting', expires_at: secondsFromNow(-1) })
    await addRecord(tx, partner, citizen, {
      tracking_no: 'accepted',
      state: 'ACCEPTED',
      accepted_at: secondsFromNow(-50),
      requested_at: secondsFromNow(-61),
      expires_at: secondsFromNow(-9),
    })
    const changes = await listChanges(tx, citizen.id, { since: since[0]!.at }, 60)
    const sorted = changes
      .map(({ tracking_no: no, state, is_current }) => `${no} ${state} ${is_current}`)
      .toSorted()
    expect(sorted).toEqual(
      [
        'expired PENDING false',
        'expired EXPIRED true',
        'waiting PENDING true',
        'accepted ACCEPTED true',
      ].toSorted(),
    )
  }))
