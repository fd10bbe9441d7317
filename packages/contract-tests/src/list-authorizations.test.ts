import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, startWorld, type World } from './harness/world.ts'

let world: World
beforeAll(async () => void (world = await startWorld()))
afterAll(() => world.close())

describe('listAuthorizations', () => {
  test('200: page by page, newest first, nothing twice and nothing left out', async () => {
    const [partner, citizen] = [await world.partner(), await world.citizen()]
    const made: string[] = []
    for (let index = 0; index < 7; index++)
      made.unshift((await partner.profiles.requestAuthorization(await citizen.showQr())).record.tracking_no)
    const seen: string[] = []
    let cursor: string | null | undefined
    do {
      const { body } = await citizen.app('listAuthorizations', { query: { limit: 3, ...(cursor && { cursor }) } })
      seen.push(...body.authorizations.map(({ tracking_no }) => tracking_no))
      cursor = body.next_cursor
    } while (cursor)
    expect(seen).toEqual(made)
  })

  test('200: by state, as it is now', async () => {
    const [partner, citizen] = [await world.partner(), await world.citizen()]
    const old = (await partner.profiles.requestAuthorization(await citizen.showQr())).record.tracking_no
    await world.advance(301)
    const fresh = (await partner.profiles.requestAuthorization(await citizen.showQr())).record.tracking_no
    const list = async (state: 'PENDING' | 'EXPIRED') =>
      (await citizen.app('listAuthorizations', { query: { state } })).body.authorizations.map(({ tracking_no }) => tracking_no)
    expect([await list('PENDING'), await list('EXPIRED')]).toEqual([[fresh], [old]])
  })

  test("200: nobody else's", async () => {
    const [partner, citizen, other] = [await world.partner(), await world.citizen(), await world.citizen()]
    await partner.profiles.requestAuthorization(await citizen.showQr())
    expect((await other.app('listAuthorizations', {})).body).toEqual({ authorizations: [], next_cursor: null })
  })

  test('422: a made-up cursor, a limit out of bounds', async () => {
    const citizen = await world.citizen()
    expect((await refusal(citizen.app('listAuthorizations', { query: { cursor: 'made-up' } }))).fields).toHaveProperty('cursor')
    expect((await refusal(citizen.app('listAuthorizations', { query: { limit: 101 } }))).fields).toHaveProperty('limit')
  })
})

describe('readAuthorization', () => {
  test('200: who asks, for what, since when, and the four characters to compare', async () => {
    const [partner, citizen] = [
      await world.partner({ name: 'Hotel Mabuhay', purpose: 'To register you as a guest.' }),
      await world.citizen(),
    ]
    const { record, expiresAt } = await partner.profiles.requestAuthorization(await citizen.showQr())
    await world.advance(12)
    const { body } = await citizen.app('readAuthorization', { path: { tracking_no: record.tracking_no } })
    expect(body).toMatchObject({
      state: 'PENDING',
      tracking_no_last4: record.tracking_no.slice(-4),
      partner: { partner_code: partner.code, name: 'Hotel Mabuhay', purpose: 'To register you as a guest.' },
      expires_at: expiresAt!.toISOString(),
      answered_at: null,
    })
    expect(body.age_seconds).toBeGreaterThanOrEqual(12)
    expect(body.shares.toSorted()).toEqual(
      Object.keys(citizen.profile)
        .filter((field) => field !== 'postal')
        .toSorted(),
    )
  })

  test("404: another citizen's record is like none", async () => {
    const [partner, citizen, other] = [await world.partner(), await world.citizen(), await world.citizen()]
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    expect((await refusal(other.app('readAuthorization', { path: { tracking_no: record.tracking_no } }))).code).toBe(
      'tracking_no_not_found',
    )
  })
})
