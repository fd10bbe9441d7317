import { describe, expect, test } from 'vitest'
import { readPages } from '../kit/read-pages.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()
const list = async (query: {
  q?: string
  status?: 'ACTIVE' | 'SUSPENDED'
  limit?: number
  cursor?: string
}) => (await service.operator('listPartners', { query })).body
const codesOf = async (...given: Parameters<typeof list>) =>
  (await list(...given)).partners.map(({ partner_code }) => partner_code)

describe('listPartners', () => {
  test('200: pages in the order of the partner codes, without duplicates or gaps', async () => {
    const name = `Paged ${Math.random()}`
    const created: string[] = []
    for (let index = 0; index < 5; index++)
      created.push(
        (await service.partner({ name, partner_code: `PAGED_${Math.random()}`.replace('.', '') })).code,
      )
    const seen: string[] = []
    for await (const { partners } of readPages((after) => list({ q: name, limit: 2, ...after })))
      seen.push(...partners.map(({ partner_code }) => partner_code))
    expect(seen).toEqual(created.toSorted())
  })

  test('200: filtered by status, and by a text in the code or name, without case and wildcards', async () => {
    const name = `Señor % ${Math.random()}_Hotel`
    const [one, other] = [await service.partner({ name }), await service.partner({ name })]
    await service.operator('suspendPartner', { path: { partner_code: other.code } })
    expect(await codesOf({ q: name.toLocaleUpperCase() })).toEqual([one.code, other.code].toSorted())
    expect(await codesOf({ q: name, status: 'SUSPENDED' })).toEqual([other.code])
    expect(await codesOf({ q: name, status: 'ACTIVE' })).toEqual([one.code])
    expect(await codesOf({ q: one.code.toLowerCase(), limit: 100 })).toContain(one.code)
    expect(await codesOf({ q: name.replace('_', '%') })).toEqual([])
  })

  test('200: a text in another Unicode form than the name', async () => {
    const name = `Peña ${Math.random()}`
    const one = await service.partner({ name: name.normalize('NFD') })
    const other = await service.partner({ name: name.normalize('NFC') })
    for (const form of ['NFC', 'NFD'])
      expect(await codesOf({ q: name.normalize(form) })).toEqual([one.code, other.code].toSorted())
  })

  test('422: an invalid cursor, an unknown status', async () => {
    expect((await refusal(list({ cursor: "x' or true" }))).fields).toHaveProperty('cursor')
    expect((await refusal(list({ status: 'GONE' as 'ACTIVE' }))).fields).toHaveProperty('status')
  })
})
