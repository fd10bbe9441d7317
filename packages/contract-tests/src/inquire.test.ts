import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, startWorld, type World } from './harness/world.ts'

let world: World
beforeAll(async () => void (world = await startWorld()))
afterAll(() => world.close())

describe('inquire', () => {
  test('200: an accepted record carries the profile', async () => {
    const [partner, citizen] = [await world.partner(), await world.citizen()]
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    await citizen.accept(record.tracking_no)
    const accepted = await partner.profiles.inquire(record.tracking_no)
    expect(accepted.state).toBe('ACCEPTED')
    expect(accepted.record.response).toEqual({ ...citizen.profile, postal: null })
  })

  test('404: another partner cannot read the record', async () => {
    const [partner, stranger, citizen] = [await world.partner(), await world.partner(), await world.citizen()]
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    expect((await refusal(stranger.profiles.inquire(record.tracking_no))).code).toBe('tracking_no_not_found')
  })
})
