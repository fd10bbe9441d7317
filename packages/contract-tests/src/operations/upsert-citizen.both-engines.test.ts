import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, startWorld, type World } from '../harness/world.ts'

let world: World
beforeAll(async () => void (world = await startWorld()))
afterAll(() => world.close())

/** A caller whom the administrators' provider knows, but who may nothing. */
const unscopedHeaders = async () => ({ Authorization: `Bearer ${await world.tokens.operator('')}`, 'Content-Type': 'application/json' })

describe('upsertCitizen', () => {
  test('200: written anew, and the next profile shows it', async () => {
    const [partner, citizen] = [await world.partner(), await world.citizen()]
    const profile = { ...citizen.profile, last_name: 'Peñaflor' }
    const { body } = await world.operator('upsertCitizen', { path: { uniqid: citizen.uniqid }, body: { profile, passport: null } })
    expect(body).toEqual({ uniqid: citizen.uniqid, created: false })
    expect((await partner.profiles.profileByQr(await citizen.showQr('share'))).record.response.last_name).toBe('Peñaflor')
  })

  test('422: each field at fault is named, and nothing is written', async () => {
    const [partner, citizen] = [await world.partner(), await world.citizen()]
    const profile = { ...citizen.profile, birth_date: '17/04/1990', gender: 'Female', mobile: '0917', postal: 'X' }
    const { fields } = await refusal(
      world.operator('upsertCitizen', { path: { uniqid: citizen.uniqid }, body: { profile, passport: null } }),
    )
    expect(Object.keys(fields).toSorted()).toEqual(['profile.birth_date', 'profile.gender', 'profile.mobile', 'profile.postal'])
    expect((await partner.profiles.profileByQr(await citizen.showQr('share'))).record.response.mobile).toBe(citizen.profile.mobile)
  })

  test('422: another uniqid in the body than in the path', async () => {
    const { profile } = await world.citizen()
    const { fields } = await refusal(world.operator('upsertCitizen', { path: { uniqid: 'ANOTHER' }, body: { profile, passport: null } }))
    expect(fields).toHaveProperty(['profile.uniqid'])
  })

  test('403: an administrator without the scope', async () => {
    const { uniqid, profile } = await world.citizen()
    const response = await world.send('upsertCitizen', {
      headers: await unscopedHeaders(),
      path: { uniqid },
      body: JSON.stringify({ profile, passport: null }),
    })
    expect([response.status, await response.json()]).toEqual([403, expect.objectContaining({ error: 'scope_not_granted' })])
  })
})
