import type { Schemas } from '@tiwala/client'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { readPages } from '../kit/read-pages.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'
import type { Citizen, Partner } from '../kit/users.ts'

const service = await startServiceForFile()

type Query = NonNullable<Parameters<Partner['profiles']['listRecords']>[0]>

/** The first page: the default length is longer than the lists of these tests. */
const list = ({ profiles }: Partner, query: Query = {}) => profiles.listRecords(query)
const numbersOf = ({ records }: Schemas['RecordPage']) => records.map(({ tracking_no }) => tracking_no)
const request = async ({ profiles }: Partner, citizen: Citizen) =>
  (await profiles.requestAuthorization(await citizen.showQr())).record.tracking_no

/** A citizen for each, because at most three requests of a partner are pending for one citizen. */
async function requestMany(partner: Partner, count: number): Promise<string[]> {
  const created: string[] = []
  for (let index = 0; index < count; index++) created.unshift(await request(partner, await service.citizen()))
  return created
}

/** The tracking numbers of all pages. `between` runs after each page. */
async function readAll(partner: Partner, query: Query, between = async () => {}): Promise<string[]> {
  const seen: string[] = []
  for await (const page of readPages((after) => list(partner, { ...query, ...after }))) {
    seen.push(...numbersOf(page))
    await between()
  }
  return seen
}

describe('listRecords', () => {
  test('200: state and times of a record at each step, without data of the citizen', async () => {
    const { partner, citizen, trackingNo } = await service.pending()
    const { records, next_cursor } = await list(partner)
    expect(next_cursor).toBeNull()
    expect(records).toEqual([
      {
        tracking_no: trackingNo,
        scope: 'PROFILE_INQUIRE',
        state: 'PENDING',
        requested_at: expect.any(String),
        expires_at: expect.any(String),
        accepted_at: null,
        ended_at: null,
      },
    ])
    const [{ requested_at }] = records as [Schemas['RecordSummary']]
    await citizen.accept(trackingNo)
    const [accepted] = (await list(partner)).records
    expect(accepted).toMatchObject({ state: 'ACCEPTED', accepted_at: accepted!.ended_at, requested_at })
    await citizen.revoke(trackingNo)
    const revoked = await list(partner)
    expect(revoked.records).toMatchObject([{ state: 'REVOKED', accepted_at: accepted!.accepted_at }])
    for (const word of Object.values(citizen.profile).filter(
      (value) => typeof value === 'string' && value.length > 3,
    ))
      expect(JSON.stringify([accepted, revoked])).not.toContain(word)
  })

  test('200: the times of a record are exact to the millisecond', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    // Several, because a fault of rounding shows in about every second record.
    for (let count = 0; count < 5; count++) {
      await partner.profiles.requestAuthorization(await citizen.showQr())
      await partner.profiles.profileByQr(await citizen.showQr('share'))
    }
    const durationsMs = (await list(partner)).records.map(
      ({ requested_at, expires_at, ended_at }) =>
        Date.parse(expires_at ?? ended_at!) - Date.parse(requested_at),
    )
    expect(durationsMs).toEqual(Array.from({ length: 5 }, () => [0, 300_000]).flat())
  })

  test('200: a profile-by-QR record has no time until which the citizen could answer', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const { record } = await partner.profiles.profileByQr(await citizen.showQr('share'))
    expect((await list(partner)).records).toMatchObject([
      { tracking_no: record.tracking_no, scope: 'PROFILE_VIEW', state: 'VIEWED', expires_at: null },
    ])
  })

  test('200: an expired record has ended at the time of its expiry', async () => {
    const { partner } = await service.pending()
    await service.advance(301)
    const [expired] = (await list(partner)).records
    expect([expired!.state, expired!.ended_at]).toEqual(['EXPIRED', expired!.expires_at])
  })

  test('200: listing is no inquiry: an inquiry right after it is not too early', async () => {
    const { partner, trackingNo } = await service.pending()
    await list(partner)
    expect((await partner.profiles.inquire(trackingNo)).state).toBe('PENDING')
  })

  test('200: pages, newest first; new records and changed states give no duplicates and no gaps', async () => {
    const partner = await service.partner()
    const created = await requestMany(partner, 7)
    const oldest = created.at(-1)!
    const seen = await readAll(partner, { limit: 3 }, async () => {
      await requestMany(partner, 1)
      await partner.profiles.cancelAuthorization(oldest)
    })
    expect(seen).toEqual(created)
    expect(await readAll(partner, { limit: 100 })).toHaveLength(10)
  })

  test('200: pages without gaps also of records of the same moment', async () => {
    const partner = await service.partner()
    const created = await requestMany(partner, 3)
    await sql`
      update authorization_record set requested_at = '2026-01-01'
       where tracking_no = any(${created})`.execute(service.db)
    expect((await readAll(partner, { limit: 1 })).toSorted()).toEqual(created.toSorted())
  })

  test('200: filtered by the current state, in pages, while new records arrive', async () => {
    const partner = await service.partner()
    const expired = await requestMany(partner, 2)
    await service.advance(301)
    const viewed = await partner.profiles.profileByQr(await (await service.citizen()).showQr('share'))
    const pending = await requestMany(partner, 3)
    const between = async () => void (await requestMany(partner, 1))
    expect(await readAll(partner, { state: 'PENDING', limit: 1 }, between)).toEqual(pending)
    expect(await readAll(partner, { state: 'EXPIRED', limit: 1 })).toEqual(expired)
    expect(await readAll(partner, { state: 'VIEWED' })).toEqual([viewed.record.tracking_no])
    expect(await readAll(partner, { state: 'REVOKED' })).toEqual([])
  })

  test('200: the list holds no records of other partners, also with their cursor', async () => {
    const [partner, other] = [await service.partner(), await service.partner()]
    const citizen = await service.citizen()
    const own = await request(partner, citizen)
    await request(other, citizen)
    await request(other, citizen)
    const { next_cursor } = await list(other, { limit: 1 })
    expect(numbersOf(await list(partner))).toEqual([own])
    expect(numbersOf(await list(partner, { cursor: next_cursor! }))).toEqual([own])
    expect(await list(await service.partner(), { cursor: next_cursor! })).toEqual({
      records: [],
      next_cursor: null,
    })
  })

  test('422: an invented cursor, a limit out of range, an invalid state', async () => {
    const partner = await service.partner()
    // The year 33658, which no database engine reads as JavaScript writes it.
    const farFuture = Buffer.from(`${'9'.repeat(15)}.1`).toString('base64url')
    const wrong: [Record<string, unknown>, string][] = [
      [{ cursor: 'made-up' }, 'cursor'],
      [{ cursor: farFuture }, 'cursor'],
      [{ limit: 0 }, 'limit'],
      [{ limit: 101 }, 'limit'],
      [{ state: 'LOST' }, 'state'],
      [{ unknown: '1' }, 'unknown'],
    ]
    for (const [query, field] of wrong) {
      const { code, fields } = await refusal(list(partner, query))
      expect([code, Object.keys(fields)]).toEqual(['validation_failed', [field]])
    }
  })
})
