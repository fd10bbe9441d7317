import { describe, expect, test } from 'vitest'
import { comparable } from '../kit/error-body.ts'
import { startServiceForFile, startTestService } from '../kit/test-service.ts'
import type { Citizen } from '../kit/users.ts'

const service = await startServiceForFile()

const FIVE_YEARS_SECONDS = 5 * 365.25 * 86_400

/** A partner, a citizen and a disclosure. */
async function disclosed(here = service) {
  const [partner, citizen] = [await here.partner(), await here.citizen()]
  const { record, requestId } = await partner.profiles.profileByQr(await citizen.showQr('share'))
  return { partner, citizen, trackingNo: record.tracking_no, id: requestId }
}

const dispute = ({ app }: Citizen, disclosureId: string) =>
  app('disputeDisclosure', { path: { disclosure_id: disclosureId } })

/** The request ids among these that wrote an audit row of a dispute. */
const auditedBy = async (requestIds: string[]) =>
  (await service.dumpDatabase())
    .split('\n')
    .filter((row) => row.includes('disclosure.disputed'))
    .flatMap((row) => requestIds.filter((id) => row.includes(id)))

describe('disputeDisclosure', () => {
  test('200: the disclosure with the time of the dispute; the list shows no other as disputed', async () => {
    const { partner, citizen, trackingNo, id } = await disclosed()
    await partner.profiles.inquire(trackingNo)
    const [other, before] = await citizen.disclosures()
    const { body } = await dispute(citizen, id)
    expect(body).toEqual({ ...before!, disputed_at: expect.any(String) })
    expect(Date.parse(body.disputed_at!)).toBeGreaterThanOrEqual(Date.parse(body.disclosed_at))
    expect(await citizen.disclosures()).toEqual([other, body])
  })

  test('200: a repeated dispute changes nothing; the audit records the first one only', async () => {
    const { citizen, id } = await disclosed()
    const first = await dispute(citizen, id)
    await service.advance(5)
    const second = await dispute(citizen, id)
    expect(second.body).toEqual(first.body)
    const requestIds = [first, second].map(({ headers }) => headers.get('x-request-id')!)
    expect(await auditedBy(requestIds)).toEqual([requestIds[0]])
  })

  test('200: of 50 simultaneous disputes one is recorded', async () => {
    const { citizen, id } = await disclosed()
    const answers = await Promise.all(Array.from({ length: 50 }, () => dispute(citizen, id)))
    expect(new Set(answers.map(({ body }) => body.disputed_at)).size).toBe(1)
    expect(await auditedBy(answers.map(({ headers }) => headers.get('x-request-id')!))).toHaveLength(1)
  })

  test('200: the partner can still read the disclosed profile', async () => {
    const { partner, citizen, trackingNo, id } = await disclosed()
    await dispute(citizen, id)
    expect((await partner.profiles.inquire(trackingNo)).record.response?.uniqid).toBe(citizen.uniqid)
  })

  test('200: a sign-in can be disputed, and so can a disclosure of five years ago', async () => {
    // A separate service, because its clock moves past the expiry of all credentials.
    const own = await startTestService({})
    const { partner, citizen, id } = await disclosed(own)
    await partner.sso.signIn(await citizen.exchangeCode(partner.code))
    await own.advance(FIVE_YEARS_SECONDS)
    const [signIn] = await citizen.disclosures()
    for (const each of [id, signIn!.id]) {
      const { disclosed_at, disputed_at } = (await dispute(citizen, each)).body
      expect(Date.parse(disputed_at!) - Date.parse(disclosed_at)).toBeGreaterThanOrEqual(
        FIVE_YEARS_SECONDS * 1000,
      )
    }
    await own.close()
  })

  test("404: another citizen's, an unknown and no disclosure: one response, nothing recorded", async () => {
    const { partner, citizen, id } = await disclosed()
    const otherCitizen = await service.citizen()
    const { record } = await partner.profiles.requestAuthorization(await otherCitizen.showQr())
    const acceptance = (await otherCitizen.accept(record.tracking_no)).headers.get('x-request-id')!
    const headers = { Authorization: `Bearer ${otherCitizen.token}` }
    const ids = [id, `req_${'0'.repeat(22)}`, acceptance, 'unknown']
    const answers = await Promise.all(
      ids.map(async (disclosure_id) =>
        comparable(await service.send('disputeDisclosure', { headers, path: { disclosure_id } })),
      ),
    )
    expect(JSON.parse(answers[0]!.body)).toMatchObject({ status: 404, error: 'not_found' })
    expect(answers).toEqual(answers.map(() => answers[0]))
    expect(await citizen.disclosures()).toMatchObject([{ id, disputed_at: null }])
    const { body } = await service.operator('listDisputes', { query: { partner_code: partner.code } })
    expect(body.disputes).toEqual([])
  })
})
