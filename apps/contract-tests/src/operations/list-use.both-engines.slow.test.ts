// Who still uses something, and what a partner uses.
import type { Schemas } from '@tiwala/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { readPages } from '../kit/read-pages.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

/** Use is stored every 5 seconds. */
const STORED = { timeout: 20_000 }

const service = await startServiceForFile({})

type Query = Partial<Record<'partner_code' | 'name' | 'since' | 'cursor', string>> & {
  kind?: Schemas['UseKind']
  limit?: number
}
const list = async (query: Query) => (await service.operator('listUse', { query })).body
const namesOf = async (query: Query) =>
  (await list({ limit: 100, ...query })).use.map(({ kind, name }) => `${kind} ${name}`)

/** One day for the clock of the database: the days of use are UTC. */
const today = async () => {
  const { rows } = await sql<{ day: string }>`
    select to_char(clock_now() at time zone 'UTC', 'YYYY-MM-DD') as day`.execute(service.db)
  return rows[0]!.day
}

describe('listUse', () => {
  test('200: operations, scopes, media types, clients and optional fields of a partner', async () => {
    const { partner, citizen } = await service.pending()
    await partner.sso.signIn(await citizen.exchangeCode(partner.code))
    await service.send('listRecords', {
      headers: { ...partner.headers, 'User-Agent': 'curl/8.5.0' },
      query: { limit: '1' },
    })
    await refusal(partner.profiles.inquire('unknown'))
    const used = () => namesOf({ partner_code: partner.code })
    await expect.poll(used, STORED).toContain('operation inquire')
    const names = await used()
    for (const name of [
      'client curl',
      'field listRecords.limit',
      'operation authenticate',
      'operation generateToken',
      'operation listRecords',
      'operation requestAuthorization',
      'scope PROFILE_INQUIRE',
      'scope SSO_AUTHENTICATION',
    ])
      expect(names).toContain(name)
    expect(names.filter((name) => /^client tiwala-client\/\d/.test(name)).length).toBe(1)
    expect(names.some((name) => name.startsWith('media_type '))).toBe(true)
    expect(names).toEqual(names.toSorted())
    expect(names).not.toContain('operation profileByQr')
    const one = { partner_code: partner.code, kind: 'operation' as const, name: 'inquire' }
    expect(await namesOf(one)).toEqual(['operation inquire'])
  })

  test('200: a request with a wrong secret counts for no partner', async () => {
    const [partner, other] = [await service.partner(), await service.partner()]
    await service.send('readPartnerSelf', { headers: { ...partner.headers, 'X-Secret-Token': 'wrong' } })
    await other.profiles.whoAmI()
    await expect
      .poll(() => namesOf({ partner_code: other.code }), STORED)
      .toContain('operation readPartnerSelf')
    expect(await namesOf({ partner_code: partner.code })).toEqual([])
  })

  test('200: who uses an operation, since when, and the last day; pages without gaps', async () => {
    const partners = [await service.partner(), await service.partner(), await service.partner()]
    const codes = partners.map(({ code }) => code)
    const own = ({ use }: { use: Schemas['PartnerUse'][] }) =>
      use.filter(({ partner_code }) => codes.includes(partner_code))
    const query = { kind: 'operation' as const, name: 'readPartnerSelf', limit: 100 }
    const first = await today()
    for (const { profiles } of partners) await profiles.whoAmI()
    await expect.poll(async () => own(await list(query)).length, STORED).toBe(3)
    const names = await Promise.all(partners.map(async (partner) => (await partner.read()).name))
    expect(own(await list(query))[0]).toEqual({
      partner_code: codes[0],
      partner_name: names[0],
      kind: 'operation',
      name: 'readPartnerSelf',
      first_used_on: first,
      last_used_on: first,
    })
    await service.advance(3 * 86_400)
    const since = new Date(Date.parse(`${await today()}T00:00:00Z`)).toISOString()
    // The process hears of the moved clock a moment later, and until then a name is one of its present day.
    const useAgain = async () => {
      await partners[1]!.profiles.whoAmI()
      return own(await list({ ...query, since }))
    }
    await expect.poll(useAgain, STORED).toEqual([
      {
        partner_code: codes[1],
        partner_name: names[1],
        kind: 'operation',
        name: 'readPartnerSelf',
        first_used_on: first,
        last_used_on: await today(),
      },
    ])
    const all = (await list({ limit: 100 })).use
    const paged: Schemas['PartnerUse'][] = []
    for await (const { use } of readPages((cursor) => list({ limit: 3, ...cursor }))) paged.push(...use)
    expect(paged.slice(0, all.length)).toEqual(all)
    const filters: Query[] = [
      { partner_code: codes[0]! },
      { partner_code: codes[0]!, kind: 'client' },
      { partner_code: codes[0]!, kind: 'operation', name: 'readPartnerSelf' },
      { kind: 'client' },
      { name: 'readPartnerSelf' },
      { partner_code: codes[0]!, name: 'readPartnerSelf' },
    ]
    for (const filter of filters.flatMap((each) => [
      each,
      { ...each, since },
      { ...each, since: '2020-01-01T00:00:00Z' },
    ])) {
      const { partner_code, kind, name, since: from = '' } = filter
      const fits = (row: Schemas['PartnerUse']) =>
        [partner_code ?? row.partner_code, kind ?? row.kind, name ?? row.name].join() ===
          [row.partner_code, row.kind, row.name].join() && row.last_used_on >= from.slice(0, 10)
      const found: Schemas['PartnerUse'][] = []
      for await (const { use } of readPages((cursor) => list({ limit: 1, ...filter, ...cursor })))
        found.push(...use)
      expect(found).toEqual(all.filter(fits))
      // The first partner has used nothing since then.
      expect(found.length > 0).toBe(filter.partner_code === undefined || from !== since)
    }
  })

  test('200: a partner has at most 100 names of a kind, and those of other kinds beside them', async () => {
    const partner = await service.partner()
    await sql`
      insert into partner_use (partner_id, kind, name, first_used_on, last_used_on)
      select p.id, 'client', 'client-' || nth, clock_now(), clock_now()
        from partner p, generate_series(1, 100) nth where p.partner_code = ${partner.code}`.execute(
      service.db,
    )
    await service.send('readPartnerSelf', { headers: { ...partner.headers, 'User-Agent': 'curl/8.5.0' } })
    const used = (kind: Schemas['UseKind']) => namesOf({ partner_code: partner.code, kind })
    await expect.poll(() => used('operation'), STORED).toEqual(['operation readPartnerSelf'])
    const clients = await used('client')
    expect([clients.length, clients.includes('client curl')]).toEqual([100, false])
  })

  test('200: nothing of an unknown partner or name; 422: another kind, a cursor of another list', async () => {
    expect(await list({ partner_code: 'UNKNOWN' })).toEqual({ use: [], next_cursor: null })
    expect(await list({ name: 'unknown' })).toEqual({ use: [], next_cursor: null })
    for (const query of [{ kind: 'other' }, { cursor: 'abc' }, { name: 'a\u0000' }])
      expect((await refusal(list(query as Query))).status).toBe(422)
  })
})
