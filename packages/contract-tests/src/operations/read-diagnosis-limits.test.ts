import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failedOf, whyOf } from '../harness/diagnoses.ts'
import { refusal, startWorld, type World } from '../harness/world.ts'

let world: World
beforeAll(
  async () =>
    void (world = await startWorld({
      TIWALA_DIAGNOSES_PER_MINUTE: '2',
      TIWALA_REQUESTS_PER_MINUTE: '1',
      TIWALA_PENDING_PER_CITIZEN: '1',
      TIWALA_POLL_INTERVAL_SECONDS: '60',
    })),
)
afterAll(() => world.close())

const count = async () => (await world.countRows('diagnosis'))[0]!

describe('readDiagnosis', () => {
  test("200: who merely knows the X-Secret-Code cannot crowd out what the partner's own requests are told", async () => {
    const partner = await world.partner()
    const headers = { ...partner.headers, 'X-Secret-Token': 'wrong' }
    for (let sent = 0; sent < 5; sent++) await world.send('inquire', { headers, query: 'tracking_no=x' })
    await expect.poll(count).toBe(2)
    expect((await whyOf(partner, partner.profiles.inquire('unknown'))).check).toBe('record')
    expect(await count()).toBe(3)
  })

  test('404: beyond so many refusals in a minute, none is kept', async () => {
    const partner = await world.partner()
    const [first, second, third] = [
      await refusal(partner.profiles.inquire('unknown')),
      await refusal(partner.profiles.inquire('unknown')),
      await refusal(partner.profiles.inquire('unknown')),
    ]
    for (const { requestId } of [first, second]) expect(failedOf(await partner.profiles.diagnose(requestId!)).check).toBe('record')
    expect((await refusal(partner.profiles.diagnose(third.requestId!))).code).toBe('not_found')
  })

  test("200: the partner's rate and the citizen's are told apart, and eager polling", async () => {
    const [partner, another, citizen] = [await world.partner(), await world.partner(), await world.citizen()]
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    const again = partner.profiles.requestAuthorization(await citizen.showQr())
    expect(await whyOf(partner, again)).toEqual({ check: 'rate', detail: 'over the limit of a minute' })
    const asked = another.profiles.requestAuthorization(await citizen.showQr())
    expect(await whyOf(another, asked)).toEqual({ check: 'citizen_rate', detail: 'this citizen has been asked too often' })
    await partner.profiles.inquire(record.tracking_no)
    expect((await whyOf(partner, partner.profiles.inquire(record.tracking_no))).check).toBe('polling')
  })
})
