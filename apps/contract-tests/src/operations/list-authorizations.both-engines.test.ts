import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { readPages } from '../kit/read-pages.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'
import type { Citizen } from '../kit/users.ts'

const service = await startServiceForFile()

/** The tracking numbers of all pages. */
async function readAll({ app }: Citizen, limit: number): Promise<string[]> {
  const seen: string[] = []
  const pages = readPages(
    async (after) => (await app('listAuthorizations', { query: { limit, ...after } })).body,
  )
  for await (const { authorizations } of pages)
    seen.push(...authorizations.map(({ tracking_no }) => tracking_no))
  return seen
}

describe('listAuthorizations', () => {
  test('200: pages, newest first, without duplicates or gaps', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const created: string[] = []
    for (let index = 0; index < 7; index++)
      created.unshift(
        (await partner.profiles.requestAuthorization(await citizen.showQr())).record.tracking_no,
      )
    expect(await readAll(citizen, 3)).toEqual(created)
  })

  test('200: pages without gaps also of records of the same moment', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const created: string[] = []
    for (let index = 0; index < 3; index++)
      created.push((await partner.profiles.requestAuthorization(await citizen.showQr())).record.tracking_no)
    await sql`
      update authorization_record set requested_at = '2026-01-01'
       where tracking_no = any(${created})`.execute(service.db)
    expect((await readAll(citizen, 1)).toSorted()).toEqual(created.toSorted())
  })

  test('200: filtered by the current state', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const old = (await partner.profiles.requestAuthorization(await citizen.showQr())).record.tracking_no
    await service.advance(301)
    const fresh = (await partner.profiles.requestAuthorization(await citizen.showQr())).record.tracking_no
    const list = async (state: 'PENDING' | 'EXPIRED') =>
      (await citizen.app('listAuthorizations', { query: { state } })).body.authorizations.map(
        ({ tracking_no }) => tracking_no,
      )
    expect([await list('PENDING'), await list('EXPIRED')]).toEqual([[fresh], [old]])
  })

  test('200: the list holds no records of other citizens', async () => {
    const [partner, citizen, other] = [
      await service.partner(),
      await service.citizen(),
      await service.citizen(),
    ]
    await partner.profiles.requestAuthorization(await citizen.showQr())
    expect((await other.app('listAuthorizations', {})).body).toEqual({
      authorizations: [],
      next_cursor: null,
    })
  })

  test('422: an invented cursor, a limit out of range', async () => {
    const citizen = await service.citizen()
    // The year 33658, which no database engine reads as JavaScript writes it.
    const farFuture = Buffer.from(`${'9'.repeat(15)}.1`).toString('base64url')
    for (const cursor of ['made-up', farFuture])
      expect((await refusal(citizen.app('listAuthorizations', { query: { cursor } }))).fields).toHaveProperty(
        'cursor',
      )
    expect(
      (await refusal(citizen.app('listAuthorizations', { query: { limit: 101 } }))).fields,
    ).toHaveProperty('limit')
  })
})
