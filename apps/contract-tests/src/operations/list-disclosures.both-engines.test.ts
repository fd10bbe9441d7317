import { describe, expect, test } from 'vitest'
import { readPages } from '../kit/read-pages.ts'
import { PROFILE_FIELDS, SSO_PROFILE_FIELDS } from '../kit/specification-fields.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()

/** A partner, a citizen and their accepted record. */
async function accepted() {
  const { partner, citizen, trackingNo } = await service.pending()
  const { headers } = await citizen.accept(trackingNo)
  return { partner, citizen, trackingNo, acceptance: headers.get('x-request-id')! }
}

describe('listDisclosures', () => {
  test('200: the partner, time, way and request id of each disclosure, newest first', async () => {
    const partner = await service.partner({ name: 'Hotel Mabuhay', purpose: 'To register you as a guest.' })
    const citizen = await service.citizen()
    const viewed = await partner.profiles.profileByQr(await citizen.showQr('share'))
    const { tracking_no } = (await partner.profiles.requestAuthorization(await citizen.showQr())).record
    await citizen.accept(tracking_no)
    const read = await partner.profiles.inquire(tracking_no)
    await partner.sso.signIn(await citizen.exchangeCode(partner.code))

    const overrides = {
      partner: { partner_code: partner.code, name: 'Hotel Mabuhay', purpose: 'To register you as a guest.' },
      disputed_at: null,
    }
    const disclosures = await citizen.disclosures()
    expect(disclosures).toMatchObject([
      { ...overrides, way: 'SSO', tracking_no: null },
      { ...overrides, way: 'INQUIRE', tracking_no, id: read.requestId },
      { ...overrides, way: 'QR', tracking_no: viewed.record.tracking_no, id: viewed.requestId },
    ])
    const times = disclosures.map(({ disclosed_at }) => Date.parse(disclosed_at))
    expect(times).toEqual(times.toSorted((a, b) => b - a))
  })

  test('200: the fields are those that the partner was given', async () => {
    const { partner, citizen, trackingNo } = await accepted()
    await partner.profiles.inquire(trackingNo)
    await partner.sso.signIn(await citizen.exchangeCode(partner.code))
    // The postal code of the profile API is always empty (specification, section 2.2).
    const fields = [SSO_PROFILE_FIELDS, PROFILE_FIELDS.filter((field) => field !== 'postal')]
    expect((await citizen.disclosures()).map((disclosure) => disclosure.fields.toSorted())).toEqual(fields)
  })

  test('200: every disclosure is listed, also repeated ones', async () => {
    const { partner, citizen, trackingNo } = await accepted()
    const ids = [await partner.profiles.inquire(trackingNo), await partner.profiles.inquire(trackingNo)].map(
      ({ requestId }) => requestId,
    )
    expect((await citizen.disclosures()).map(({ id }) => id)).toEqual(ids.toReversed())
  })

  test('200: pending, declined, cancelled and refused requests and exchanges are not listed', async () => {
    const { partner, citizen, trackingNo } = await service.pending()
    await partner.profiles.inquire(trackingNo)
    await citizen.decline(trackingNo)
    await partner.profiles.inquire(trackingNo)
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    await partner.profiles.cancelAuthorization(record.tracking_no)
    await refusal(partner.profiles.profileByQr(await citizen.showQr('inquire')))
    await partner.sso.generateToken(await citizen.exchangeCode(partner.code))
    expect(await citizen.disclosures()).toEqual([])
  })

  test('200: no disclosures of other citizens; none for a citizen unknown to the registry', async () => {
    const { partner, trackingNo } = await accepted()
    await partner.profiles.inquire(trackingNo)
    expect(await (await service.citizen()).disclosures()).toEqual([])
    const headers = { Authorization: `Bearer ${await service.tokens.citizen('UNKNOWN')}` }
    expect(await (await service.send('listDisclosures', { headers })).json()).toEqual({
      disclosures: [],
      next_cursor: null,
    })
  })

  test('200: pages without duplicates or gaps, also during new disclosures', async () => {
    const { partner, citizen, trackingNo } = await accepted()
    const created: string[] = []
    for (let index = 0; index < 6; index++)
      created.unshift((await partner.profiles.inquire(trackingNo)).requestId)
    const [seen, cursors]: [string[], (string | null)[]] = [[], []]
    const pages = readPages(
      async (after) => (await citizen.app('listDisclosures', { query: { limit: 2, ...after } })).body,
    )
    for await (const { disclosures, next_cursor } of pages) {
      seen.push(...disclosures.map(({ id }) => id))
      cursors.push(next_cursor)
      await partner.profiles.inquire(trackingNo)
    }
    expect(seen).toEqual(created)
    // A cursor holds only data that the citizen knows, and no number that reveals how much is disclosed to
    // others.
    expect(cursors).toEqual([created[1], created[3], null])
  })

  test("422: an invented cursor, another citizen's, one of no disclosure; a limit out of range", async () => {
    const [{ citizen, acceptance }, other] = [await accepted(), await accepted()]
    const { requestId } = await other.partner.profiles.inquire(other.trackingNo)
    for (const cursor of ['made-up', requestId, acceptance])
      expect((await refusal(citizen.app('listDisclosures', { query: { cursor } }))).fields).toEqual({
        cursor: ['is not a valid next_cursor'],
      })
    for (const limit of [0, 101])
      expect((await refusal(citizen.app('listDisclosures', { query: { limit } }))).fields).toHaveProperty(
        'limit',
      )
  })
})
