import { describe, expect, test } from 'vitest'
import { readPages } from '../kit/read-pages.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'
import type { Partner } from '../kit/users.ts'

const service = await startServiceForFile()

/** A disputed disclosure to this partner. */
async function disputed({ profiles }: Partner) {
  const citizen = await service.citizen()
  const { record, requestId } = await profiles.profileByQr(await citizen.showQr('share'))
  const { body } = await citizen.app('disputeDisclosure', { path: { disclosure_id: requestId } })
  return { citizen, trackingNo: record.tracking_no, disclosure: body, id: requestId }
}

type Filter = { partner_code?: string; limit?: number; cursor?: string }
const list = async (query: Filter) => (await service.operator('listDisputes', { query })).body

describe('listDisputes', () => {
  test('200: the disputed disclosures and the time of the dispute, without data of the citizen', async () => {
    const partner = await service.partner()
    const { citizen, trackingNo, disclosure, id } = await disputed(partner)
    const body = await list({ partner_code: partner.code })
    const { disclosed_at, disputed_at } = disclosure
    expect(body).toEqual({
      disputes: [
        {
          disclosure_id: id,
          disputed_at,
          disclosed_at,
          way: 'QR',
          partner_code: partner.code,
          tracking_no: trackingNo,
          partner_name: (await partner.read()).name,
        },
      ],
      next_cursor: null,
    })
    for (const word of Object.values(citizen.profile).filter(
      (value) => typeof value === 'string' && value.length > 3,
    ))
      expect(JSON.stringify(body)).not.toContain(word)
  })

  test('200: disclosures by inquire and by sign-in are listed too', async () => {
    const { partner, citizen, trackingNo } = await service.pending()
    await citizen.accept(trackingNo)
    await partner.profiles.inquire(trackingNo)
    await partner.sso.signIn(await citizen.exchangeCode(partner.code))
    const disclosures = await citizen.disclosures()
    for (const { id } of disclosures) await citizen.app('disputeDisclosure', { path: { disclosure_id: id } })
    expect((await list({ partner_code: partner.code })).disputes).toMatchObject([
      { way: 'INQUIRE', tracking_no: trackingNo },
      { way: 'SSO', tracking_no: null },
    ])
  })

  test('200: disputes of all partners, newest first; of one partner; none of an unknown one', async () => {
    const [a, b] = [await service.partner(), await service.partner()]
    const [first, second, third] = [await disputed(a), await disputed(b), await disputed(a)]
    const ids = async (query: Filter) =>
      (await list(query)).disputes.map(({ disclosure_id }) => disclosure_id)
    expect(await ids({ limit: 3 })).toEqual([third.id, second.id, first.id])
    expect(await ids({ partner_code: a.code })).toEqual([third.id, first.id])
    expect(await list({ partner_code: 'UNKNOWN' })).toEqual({ disputes: [], next_cursor: null })
  })

  test('200: pages without duplicates or gaps', async () => {
    const partner = await service.partner()
    const created: string[] = []
    for (let index = 0; index < 5; index++) created.unshift((await disputed(partner)).id)
    const [seen, cursors]: [string[], (string | null)[]] = [[], []]
    const pages = readPages((after) => list({ partner_code: partner.code, limit: 2, ...after }))
    for await (const { disputes, next_cursor } of pages) {
      seen.push(...disputes.map(({ disclosure_id }) => disclosure_id))
      cursors.push(next_cursor)
      // A new dispute of another partner must not appear in these pages.
      await disputed(await service.partner())
    }
    expect(seen).toEqual(created)
    expect(cursors).toEqual([created[1], created[3], null])
  })

  test('422: an invented or undisputed cursor; a limit out of range; an invalid partner code', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const { requestId } = await partner.profiles.profileByQr(await citizen.showQr('share'))
    const wrong: [Filter, string][] = [
      [{ cursor: 'made-up' }, 'cursor'],
      [{ cursor: requestId }, 'cursor'],
      [{ limit: 0 }, 'limit'],
      [{ limit: 101 }, 'limit'],
      [{ partner_code: 'not a code' }, 'partner_code'],
    ]
    for (const [query, field] of wrong)
      expect(Object.keys((await refusal(list(query))).fields)).toEqual([field])
  })
})
