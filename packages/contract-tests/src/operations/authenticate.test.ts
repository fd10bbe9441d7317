import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorld, type World } from '../harness/world.ts'

let world: World
beforeAll(async () => void (world = await startWorld()))
afterAll(() => world.close())

const NDJSON = { 'Content-Type': 'application/x-ndjson' }

describe('authenticate', () => {
  test('415: lines of JSON', async () => {
    const [partner, citizen] = [await world.partner(), await world.citizen()]
    const token = await partner.sso.generateToken(await citizen.exchangeCode(partner.code))
    const headers = { Authorization: `Bearer ${token}`, ...NDJSON }
    expect((await world.send('authenticate', { headers, body: '{}' })).status).toBe(415)
    expect((await partner.sso.authenticate(token)).uniqid).toBe(citizen.uniqid)
  })
})
